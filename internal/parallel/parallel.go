// Package parallel spreads independent work over goroutines. A panic in one of
// them is raised again where the work was asked for, where it can be caught.
package parallel

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"chaffinch/internal/panics"
)

// Workers returns n, or one for each processor if n is 0 or less.
func Workers(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

// Each calls fn once for each of 0 to n-1, on several goroutines, and returns
// when all calls have; workers of 0 or less stand for one per processor. The
// calls begin in order.
func Each(workers, n int, fn func(i int)) {
	EachOf(workers, n, func(_, i int) { fn(i) })
}

// EachOf is Each for work that needs a place of its own for each worker: fn is
// told which of them, from 0, calls it.
func EachOf(workers, n int, fn func(worker, i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	var fault atomic.Pointer[panics.Panic]
	for w := range min(Workers(workers), n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && fault.Load() == nil; i = int(next.Add(1)) - 1 {
				var p *panics.Panic
				if errors.As(panics.Catch(func() error { fn(w, i); return nil }), &p) {
					fault.CompareAndSwap(nil, p)
				}
			}
		})
	}
	wg.Wait()
	if p := fault.Load(); p != nil {
		panic(p)
	}
}

// All calls fn for each of 0 to n-1, each on a goroutine of its own, and joins
// the errors in that order; a panic is one too.
func All(n int, fn func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = panics.Catch(func() error { return fn(i) }) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
