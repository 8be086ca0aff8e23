package parallel

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

// TestOrdered wants the items in their order, each worked on once, and the first error
// whichever function meets it.
func TestOrdered(t *testing.T) {
	bad := errors.New("bad")
	for _, workers := range []int{0, 1, 2, 7} {
		for _, fails := range []string{"", "read", "work", "use", "panic in read", "panic in work", "panic in use"} {
			t.Run(fmt.Sprintf("%d workers/%s", workers, fails), func(t *testing.T) {
				fail := func(who string, i int) error {
					if i == 50 && who == fails {
						return bad
					}
					if i == 50 && "panic in "+who == fails {
						panic(bad)
					}
					return nil
				}
				n := 0
				var got []int
				err := Ordered(workers, func(x *[2]int) error {
					if n == 100 {
						return io.EOF
					}
					*x = [2]int{n}
					n++
					return fail("read", n-1)
				}, func(x *[2]int) error {
					x[1] += x[0] * x[0]
					return fail("work", x[0])
				}, func(x *[2]int) error {
					if x[1] != x[0]*x[0] {
						t.Errorf("item %d: %d", x[0], x[1])
					}
					if err := fail("use", x[0]); err != nil {
						return err
					}
					got = append(got, x[0])
					return nil
				})
				want := 100
				if fails != "" {
					want = 50
				}
				if (err != nil) != (fails != "") || len(got) != want {
					t.Fatalf("%v, %d items, want %d", err, len(got), want)
				}
				for i, x := range got {
					if x != i {
						t.Fatalf("item %d at %d", x, i)
					}
				}
			})
		}
	}
}
