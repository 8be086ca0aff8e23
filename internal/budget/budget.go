// Package budget limits how much may be out at a time: bytes of documents in
// flight between a reader, its workers and a writer.
package budget

import (
	"context"
	"sync"
)

// Budget is a semaphore that lets a request larger than the whole through when
// nothing else is out.
type Budget struct {
	mu    sync.Mutex
	cond  sync.Cond
	size  int64
	out   int64
	dead  bool
	first *Share // that may go beyond the size
}

// New returns a Budget of size bytes.
func New(size int64) *Budget {
	b := &Budget{size: size}
	b.cond.L = &b.mu
	return b
}

// TryTake takes n bytes if they are free now.
func (b *Budget) TryTake(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.dead || b.out > 0 && b.out+n > b.size {
		return false
	}
	b.out += n
	return true
}

// Take waits until n bytes are free, or until nothing is out but the held bytes
// that wait on this call. It reports false after the stop.
func (b *Budget) Take(n, held int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.dead && b.out > held && b.out+n > b.size {
		b.cond.Wait()
	}
	b.out += n
	return !b.dead
}

// Give gives n bytes back.
func (b *Budget) Give(n int64) {
	b.mu.Lock()
	b.out -= n
	b.mu.Unlock()
	b.cond.Broadcast()
}

// StopWith makes every Take return when ctx is done. The returned function frees
// what that costs.
func (b *Budget) StopWith(ctx context.Context) func() bool {
	return context.AfterFunc(ctx, func() {
		b.mu.Lock()
		b.dead = true
		b.mu.Unlock()
		b.cond.Broadcast()
	})
}
