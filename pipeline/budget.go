package pipeline

import (
	"context"
	"sync"
)

// budget limits the bytes in flight. It is a semaphore that lets a request
// larger than the whole through when nothing else is out.
type budget struct {
	mu   sync.Mutex
	cond sync.Cond
	size int64
	out  int64
	dead bool
}

func newBudget(size int64) *budget {
	b := &budget{size: size}
	b.cond.L = &b.mu
	return b
}

// take waits until n bytes may be in flight, or until nothing is out but the
// held bytes that wait on this call. It reports false after the stop.
func (b *budget) take(n, held int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.dead && b.out > held && b.out+n > b.size {
		b.cond.Wait()
	}
	b.out += n
	return !b.dead
}

func (b *budget) give(n int64) {
	b.mu.Lock()
	b.out -= n
	b.mu.Unlock()
	b.cond.Broadcast()
}

// stopWith makes every take return when ctx is done. The returned function
// frees what that costs.
func (b *budget) stopWith(ctx context.Context) func() bool {
	return context.AfterFunc(ctx, func() {
		b.mu.Lock()
		b.dead = true
		b.mu.Unlock()
		b.cond.Broadcast()
	})
}
