package budget

import "context"

// Share takes bytes from a Budget step by step when the total is unknown, such as for the body of a
// response while it arrives.
type Share struct {
	b   *Budget
	out int64
}

// Share returns an empty Share of b. Close returns its bytes.
func (b *Budget) Share() *Share { return &Share{b: b} }

// Grow waits until n more bytes are free, or until ctx is done, and reports whether it took them.
// To avoid a deadlock of waiting holders, one of them at a time may exceed the size of the Budget
// until it is closed.
func (s *Share) Grow(ctx context.Context, n int64) bool {
	b := s.b
	b.mu.Lock()
	defer b.mu.Unlock()
	defer context.AfterFunc(ctx, func() {
		b.mu.Lock() // goroutines about to wait are waiting by now
		defer b.mu.Unlock()
		b.cond.Broadcast()
	})()
	for ctx.Err() == nil && b.out+n > b.size && b.first != s {
		if b.first == nil {
			b.first = s
			break
		}
		b.cond.Wait()
	}
	if ctx.Err() != nil {
		return false
	}
	b.out += n
	s.out += n
	return true
}

// Close returns all bytes. It may be called repeatedly.
func (s *Share) Close() {
	s.b.mu.Lock()
	if s.b.first == s {
		s.b.first = nil
	}
	s.b.out -= s.out
	s.out = 0
	s.b.mu.Unlock()
	s.b.cond.Broadcast()
}
