package testkit

import (
	"sync/atomic"
	"time"
)

// Busy counts the workers that are busy at once, in tests with the clock of synctest. The zero value is ready
// to use.
type Busy struct {
	inside, most, slept, calls atomic.Int64
}

// Sleep is the work of a worker: it takes the time d.
func (b *Busy) Sleep(d time.Duration) {
	n := b.inside.Add(1)
	for most := b.most.Load(); n > most && !b.most.CompareAndSwap(most, n); most = b.most.Load() {
	}
	b.slept.Add(int64(d))
	b.calls.Add(1)
	time.Sleep(d)
	b.inside.Add(-1)
}

// Calls returns the number of calls of Sleep.
func (b *Busy) Calls() int { return int(b.calls.Load()) }

// Most returns the most workers that were busy at once.
func (b *Busy) Most() int { return int(b.most.Load()) }

// Mean returns the average number of busy workers in a time.
func (b *Busy) Mean(wall time.Duration) float64 { return float64(b.slept.Load()) / float64(wall) }
