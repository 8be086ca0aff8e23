package parallel

import (
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"
)

// TestInOrder gives results in the order of reading, whatever the work takes.
func TestInOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		for _, n := range []int{0, 1, 500} {
			var got, want []int
			for i := range n {
				want = append(want, i*i)
			}
			if err := InOrder(workers, upTo(n), square, func(v *int) error { got = append(got, *v); return nil }); err != nil || !slices.Equal(got, want) {
				t.Errorf("%d workers, %d items: %v, %v", workers, n, got, err)
			}
		}
	}
}

// upTo counts.
func upTo(n int) func() (int, bool) {
	i := -1
	return func() (int, bool) { i++; return i, i < n }
}

func square(v *int) {
	if *v%7 == 0 {
		time.Sleep(time.Microsecond)
	}
	*v *= *v
}

// TestInOrderEnds ends with an error or a panic of any part, after what was read before
// it, and leaves no goroutine.
func TestInOrderEnds(t *testing.T) {
	full := errors.New("full")
	before := runtime.NumGoroutine()
	taken := 0
	take := func(*int) error { taken++; return nil }
	if err := InOrder(3, upTo(1000), square, func(v *int) error {
		if taken++; *v == 100 {
			return full
		}
		return nil
	}); err != full || taken != 11 {
		t.Errorf("take fails: %v after %d", err, taken)
	}
	for name, run := range map[string]func(){
		"next": func() {
			count := upTo(1000)
			InOrder(3, func() (int, bool) {
				v, ok := count()
				if v == 10 {
					panic("fault")
				}
				return v, ok
			}, square, take)
		},
		"work": func() {
			InOrder(3, upTo(1000), func(v *int) {
				if *v == 10 {
					panic("fault")
				}
			}, take)
		},
	} {
		taken = 0
		func() {
			defer func() {
				if recover() == nil || taken != 10 {
					t.Errorf("%s: no panic, or %d items taken, wanted 10", name, taken)
				}
			}()
			run()
		}()
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}
