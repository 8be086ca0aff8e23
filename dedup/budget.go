package dedup

import (
	"context"
	"sync"
)

// budget limits the bytes of documents in flight. It is a semaphore that lets a
// request larger than the whole through when nothing else is out.
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

// tryTake takes n bytes if they are free now.
func (b *budget) tryTake(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dead || b.out > 0 && b.out+n > b.size {
		return false
	}
	b.out += n
	return true
}

// take waits until n bytes are free, or nothing is out. It
// reports false after the stop.
func (b *budget) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.dead && b.out > 0 && b.out+n > b.size {
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
