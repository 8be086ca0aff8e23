// Package parallel spreads independent work over goroutines.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls fn once for each of 0 to n-1, on several goroutines, and returns
// when all calls have; workers of 0 or less stand for one per processor. The
// calls begin in order.
func Each(workers, n int, fn func(i int)) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				fn(i)
			}
		})
	}
	wg.Wait()
}
