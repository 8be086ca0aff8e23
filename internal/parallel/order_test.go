package parallel

import (
	"errors"
	"io"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"chaffinch/internal/panics"
)

// TestInOrder gives results in the order of reading, whatever the work takes.
func TestInOrder(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		for _, n := range []int{0, 1, 500} {
			var got, want []int
			for i := range n {
				want = append(want, i*i)
			}
			if err := InOrder(workers, HeldBytes, upTo(n), square, func(v *int) error { got = append(got, *v); return nil }); err != nil || !slices.Equal(got, want) {
				t.Errorf("%d workers, %d items: %v, %v", workers, n, got, err)
			}
		}
	}
}

// upTo counts.
func upTo(n int) func() (int, int64, bool) {
	i := -1
	return func() (int, int64, bool) { i++; return i, 1, i < n }
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
	if err := InOrder(3, HeldBytes, upTo(1000), square, func(v *int) error {
		if taken++; *v == 100 {
			return full
		}
		return nil
	}); err != full || taken != 11 {
		t.Errorf("take fails: %v after %d", err, taken)
	}
	fails := func(v int) int {
		if v == 10 {
			panic("fault")
		}
		return v
	}
	for name, run := range map[string]func() error{
		"next": func() error {
			count := upTo(1000)
			return InOrder(3, HeldBytes, func() (int, int64, bool) {
				v, bytes, ok := count()
				return fails(v), bytes, ok
			}, square, take)
		},
		"work": func() error {
			return InOrder(3, HeldBytes, upTo(1000), func(v *int) { fails(*v) }, take)
		},
		"work, while next waits": func() error {
			count := upTo(1000)
			return InOrder(3, HeldBytes, func() (int, int64, bool) {
				v, _, ok := count()
				return v, HeldBytes, ok
			}, func(v *int) { fails(*v) }, take)
		},
	} {
		taken = 0
		if err := run(); !errors.As(err, new(*panics.Panic)) || taken != 10 {
			t.Errorf("%s: %v, %d items taken, wanted a fault after 10", name, err, taken)
		}
	}
	for tries := 0; runtime.NumGoroutine() > before; tries++ { // what tells of the end of a context may still run
		if tries == 1000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}

// TestInOrderBytes holds large items one after the other, and ends where one waits.
func TestInOrderBytes(t *testing.T) {
	for _, stop := range []int{5, 100} {
		var held, most atomic.Int64
		count := upTo(20)
		err := InOrder(8, HeldBytes, func() (int, int64, bool) {
			v, _, more := count()
			if n := held.Add(1); n > most.Load() {
				most.Store(n)
			}
			return v, HeldBytes/2 + 1, more
		}, func(*int) {}, func(v *int) error {
			if held.Add(-1); *v == stop {
				return io.EOF
			}
			return nil
		})
		if (err == io.EOF) != (stop == 5) || most.Load() > 3 { // one waits, one is being given back
			t.Errorf("stop at %d: %v, %d held at once", stop, err, most.Load())
		}
	}
}

// TestInOrderLetsGo holds no item that was taken: when the last one is, no other is left.
func TestInOrderLetsGo(t *testing.T) {
	const items = 100
	type large [1 << 10]byte
	var living atomic.Int64
	read, taken := 0, 0
	err := InOrder(4, HeldBytes, func() (v *large, bytes int64, more bool) {
		if read == items {
			return nil, 0, false
		}
		read++
		v = new(large)
		living.Add(1)
		runtime.AddCleanup(v, func(n *atomic.Int64) { n.Add(-1) }, &living)
		return v, 1, true
	}, func(**large) {}, func(**large) error {
		if taken++; taken < items {
			return nil
		}
		for tries := 0; living.Load() > 1; tries++ {
			if tries == 1000 {
				t.Errorf("%d items are held beside the last", living.Load()-1)
				break
			}
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
		return nil
	})
	if err != nil || taken != items {
		t.Errorf("%d taken, %v", taken, err)
	}
}
