// Package parallel distributes independent work over goroutines with [Each] and [All]. A panic in
// one of them is raised again in the caller, where it can be caught.
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

// Each calls fn once for each of 0 to n-1 on several goroutines and returns after the last call. If
// workers is 0 or less, it uses one goroutine per processor. The calls begin in order.
func Each(workers, n int, fn func(i int)) {
	EachOf(workers, n, func(_, i int) { fn(i) })
}

// EachOf is Each for work with state per worker: fn also gets the number of the calling worker,
// from 0.
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

// All calls fn for each of 0 to n-1, each on a separate goroutine, and joins the errors in that
// order. Panics are returned as errors.
func All(n int, fn func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = panics.Catch(func() error { return fn(i) }) })
	}
	wg.Wait()
	return errors.Join(errs...)
}
