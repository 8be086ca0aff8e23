package budget

import "context"

// Share is what one holder takes of a Budget piece by piece, without knowing how much it will
// need, such as the body of a response while it arrives.
type Share struct {
	b   *Budget
	out int64
}

// Share returns a Share of b that holds nothing. Close gives back what it takes.
func (b *Budget) Share() *Share { return &Share{b: b} }

// Grow waits until n more bytes are free, or until ctx is done, and reports whether it has
// taken them. Holders that wait for one another would wait for ever: one of them at a time,
// until it is closed, gets what it asks for beyond the size of the Budget.
func (s *Share) Grow(ctx context.Context, n int64) bool {
	b := s.b
	b.mu.Lock()
	defer b.mu.Unlock()
	defer context.AfterFunc(ctx, func() {
		b.mu.Lock() // whoever is about to wait has to wait by now
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

// Close gives all bytes back. It may be called again.
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
