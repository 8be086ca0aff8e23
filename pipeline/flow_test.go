package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chaffinch/internal/panics"
	"chaffinch/internal/testkit/must"
)

// square is a number and its square.
type square struct{ n, square int }

// squares is a flow over the numbers from 0 to n-1.
func squares(workers, n int, use func(*square) error) Flow[square] {
	next := 0
	return Flow[square]{Workers: workers, Read: func(x *square) error {
		if next == n {
			return io.EOF
		}
		*x = square{n: next}
		next++
		return nil
	}, Work: func(_ int, x *square) error {
		x.square = x.n * x.n
		return nil
	}, Use: use}
}

// TestFlow wants the items in order, each processed once, and the first error of any function,
// after the items before it.
func TestFlow(t *testing.T) {
	bad := errors.New("bad")
	for _, workers := range []int{0, 1, 2, 7} {
		for _, fails := range []string{"", "read", "work", "use", "panic in read", "panic in work", "panic in use"} {
			for _, leave := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d workers/%s/%v", workers, fails, leave), func(t *testing.T) {
					fail := func(who string, i int) error {
						if i == 50 && who == fails {
							return bad
						}
						if i == 50 && "panic in "+who == fails {
							panic(bad)
						}
						return nil
					}
					got := 0
					f := squares(workers, 100, func(x *square) error {
						if x.n != got || x.square != got*got {
							t.Fatalf("item %d: %v", got, *x)
						}
						if err := fail("use", x.n); err != nil {
							return err
						}
						got++
						return nil
					})
					f.Leave = leave
					read, work := f.Read, f.Work
					f.Read = func(x *square) error {
						if err := read(x); err != nil {
							return err
						}
						return fail("read", x.n)
					}
					f.Work = func(w int, x *square) error {
						if w < 0 || w >= max(workers, runtime.GOMAXPROCS(0)) {
							t.Errorf("worker %d of %d", w, workers)
						}
						if err := fail("work", x.n); err != nil {
							return err
						}
						return work(w, x)
					}
					want := 100
					if fails != "" {
						want = 50
					}
					if err := f.Run(t.Context()); (err != nil) != (fails != "") || got != want {
						t.Fatalf("%v, %d items, want %d", err, got, want)
					}
				})
			}
		}
	}
}

// TestFlowMemory wants large items one after the other, and an error of Use to end a flow whose
// reader waits for memory.
func TestFlowMemory(t *testing.T) {
	full := errors.New("full")
	for _, stop := range []int{5, 100} {
		var held, most atomic.Int64
		f := squares(8, 20, func(x *square) error {
			if held.Add(-1); x.n == stop {
				return full
			}
			return nil
		})
		f.Memory, f.Size = 64, func(*square) int64 { return 33 }
		read := f.Read
		f.Read = func(x *square) error {
			if n := held.Add(1); n > most.Load() {
				most.Store(n)
			}
			return read(x)
		}
		if err := f.Run(t.Context()); (err == full) != (stop == 5) || most.Load() > 3 { // one waits, one is being given back
			t.Errorf("stop at %d: %v, %d held at once", stop, err, most.Load())
		}
	}
}

// TestFlowStops wants a flow whose context is done to wait for its calls, or to abandon them
// if it may.
func TestFlowStops(t *testing.T) {
	for _, workers := range []int{1, 3} {
		for _, leave := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				cause := errors.New("no more")
				ctx, stop := context.WithCancelCause(t.Context())
				used := 0
				f := squares(workers, 1000, func(*square) error { used++; return nil })
				f.Leave = leave
				work := f.Work
				f.Work = func(w int, x *square) error {
					if x.n == 10 {
						stop(cause)
						time.Sleep(time.Minute)
					}
					return work(w, x)
				}
				start := time.Now()
				err := f.Run(ctx)
				took := time.Since(start)
				time.Sleep(time.Hour) // the call that was left behind comes back
				if want := time.Minute; err != cause || used > 11 || leave && took != farewell || !leave && took != want {
					t.Errorf("%d workers, leave %v: %v after %v, %d used", workers, leave, err, took, used)
				}
			})
		}
	}
}

// late is a context that is done before the contexts derived from it.
type late struct {
	context.Context
	over atomic.Bool
}

func (l *late) Done() <-chan struct{} { return make(chan struct{}) }

func (l *late) Err() error {
	if l.over.Load() {
		return context.Canceled
	}
	return nil
}

// TestFlowSkips: no item is used that Work skipped because the context of the caller is done.
func TestFlowSkips(t *testing.T) {
	for _, workers := range []int{1, 3} {
		ctx := &late{Context: t.Context()}
		f := squares(workers, 100, func(x *square) error {
			if x.n >= 20 {
				t.Errorf("%d workers: item %d is used, but was skipped", workers, x.n)
			}
			return nil
		})
		f.Work = func(_ int, x *square) error {
			if x.n == 20 {
				ctx.over.Store(true)
			}
			return nil
		}
		must.Is(t, f.Run(ctx), context.Canceled)
	}
}

// TestFlowEnds wants no goroutine left, whatever ends a flow.
func TestFlowEnds(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 50 {
		f := squares(4, 1000, func(x *square) error {
			if x.n == 100 {
				panic("fault")
			}
			return nil
		})
		if err := f.Run(t.Context()); !errors.As(err, new(*panics.Panic)) {
			t.Fatal(err)
		}
	}
	for tries := 0; runtime.NumGoroutine() > before; tries++ { // what watches a context may still run
		if tries == 1000 {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
		time.Sleep(time.Millisecond)
	}
}
