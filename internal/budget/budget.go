// Package budget limits how much of a resource is in use: bytes of documents in flight between a
// reader, its workers and a writer. [Budget.Take] waits for bytes and [Budget.Give] returns them.
package budget

import (
	"context"
	"sync"
)

// Budget is a counting semaphore. A request larger than its size succeeds when nothing else is
// taken.
type Budget struct {
	mu    sync.Mutex
	cond  sync.Cond
	size  int64
	out   int64
	dead  bool
	first *Share // may exceed the size
}

// New returns a Budget of size bytes.
func New(size int64) *Budget {
	b := &Budget{size: size}
	b.cond.L = &b.mu
	return b
}

// TryTake takes n bytes if they are free and reports whether it did.
func (b *Budget) TryTake(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dead || b.out > 0 && b.out+n > b.size {
		return false
	}
	b.out += n
	return true
}

// Take waits until n bytes are free, or until at most held bytes are taken, which the caller holds.
// It reports whether it took the bytes: false after the stop.
func (b *Budget) Take(n, held int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.dead && b.out > held && b.out+n > b.size {
		b.cond.Wait()
	}
	b.out += n
	return !b.dead
}

// Give returns n bytes.
func (b *Budget) Give(n int64) {
	b.mu.Lock()
	b.out -= n
	b.mu.Unlock()
	b.cond.Broadcast()
}

// StopWith stops every Take when ctx is done. The returned function releases the resources of
// StopWith.
func (b *Budget) StopWith(ctx context.Context) func() bool {
	return context.AfterFunc(ctx, func() {
		b.mu.Lock()
		b.dead = true
		b.mu.Unlock()
		b.cond.Broadcast()
	})
}
