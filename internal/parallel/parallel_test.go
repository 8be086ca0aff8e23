package parallel

import (
	"slices"
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	for _, workers := range []int{-1, 0, 1, 3, 100} {
		for _, n := range []int{0, 1, 7, 1000} {
			calls := make([]int, n)
			Each(workers, n, func(i int) { calls[i]++ })
			if slices.ContainsFunc(calls, func(c int) bool { return c != 1 }) {
				t.Errorf("%d workers, %d items: calls by item %v, want one each", workers, n, calls)
			}
		}
	}
}

// TestEachWorkers checks that no more goroutines run than were asked for.
func TestEachWorkers(t *testing.T) {
	var running, most atomic.Int64
	Each(2, 200, func(int) {
		if now := running.Add(1); now > most.Load() {
			most.Store(now)
		}
		running.Add(-1)
	})
	if most.Load() > 2 {
		t.Errorf("%d calls at once, want 2 at most", most.Load())
	}
}
