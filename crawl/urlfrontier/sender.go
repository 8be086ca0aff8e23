package urlfrontier

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"chaffinch/internal/periodic"

	"google.golang.org/grpc"
)

// update is an update on its way to the frontier.
type update struct {
	item     urlItem
	attempts int
	due      time.Time // of the next attempt, after a FAIL
	number   uint64
	// done receives the last status: ackOK, ackSkipped if the frontier will never take the update, or
	// another one if it did not take it. It returns an update to send next, or nil. The sender calls it.
	done func(status uint64) *update
}

// sender sends updates on PutURLs streams until the frontier acknowledges them. It connects again
// after errors, and then sends all updates again that have no ack: they replace each other.
type sender struct {
	c       *client
	in      chan *update
	closed  bool // in is
	pending map[string]*update
	unsent  []*update // pending, and not sent on the current stream
	failed  []*update // pending, after a FAIL
	last    uint64    // number
}

// window is the most updates without an ack.
const window = 1024

func newSender(c *client) *sender {
	return &sender{c: c, in: make(chan *update), pending: map[string]*update{}}
}

// run sends updates until in is closed and all are acknowledged, or ctx ends.
func (s *sender) run(ctx context.Context) {
	for wait := s.c.cfg.Pause; ; wait = min(2*wait, maxWait) {
		s.first(ctx)
		progress, err := s.stream(ctx)
		switch {
		case s.closed && len(s.pending) == 0:
			return
		case ctx.Err() != nil:
			s.drop()
			return
		}
		s.c.report("PutURLs", err)
		if progress {
			wait = s.c.cfg.Pause
		}
		if periodic.Pause(ctx, wait) != nil {
			s.drop()
			return
		}
	}
}

// first waits for an update, the end of in, or the end of ctx.
func (s *sender) first(ctx context.Context) {
	if len(s.pending) > 0 || s.closed {
		return
	}
	select {
	case u, ok := <-s.in:
		if s.closed = !ok; ok {
			s.add(u)
		}
	case <-ctx.Done():
	}
}

// drop gives all updates up: their URLs return when their leases end.
func (s *sender) drop() {
	for _, u := range s.sorted() {
		for u != nil {
			u = u.done(ackFail)
		}
	}
	clear(s.pending)
	for !s.closed { // the caller stops
		u, ok := <-s.in
		if s.closed = !ok; ok {
			u.done(ackFail)
		}
	}
}

// sorted returns the pending updates in the order in which they were added.
func (s *sender) sorted() (list []*update) {
	for _, u := range s.pending {
		list = append(list, u)
	}
	slices.SortFunc(list, func(a, b *update) int { return cmp.Compare(a.number, b.number) })
	return list
}

var putURLs = grpc.StreamDesc{StreamName: "PutURLs", ClientStreams: true, ServerStreams: true}

// stream sends updates on one stream until it ends. It reports whether an ack arrived.
func (s *sender) stream(ctx context.Context) (progress bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// Without an ack for this time, the stream ends, which also ends a blocked send.
	dog := time.AfterFunc(s.c.cfg.Timeout, func() { cancel(errNoAck) })
	defer dog.Stop()
	st, err := s.c.conn.NewStream(ctx, &putURLs, service+"PutURLs")
	if err != nil {
		return false, cmp.Or(context.Cause(ctx), err)
	}
	acks := make(chan ack, window)
	ended := make(chan error, 1)
	go func() {
		defer close(acks)
		for {
			var a ack
			if err := st.RecvMsg(&a); err != nil {
				ended <- err
				return
			}
			select {
			case acks <- a:
			case <-ctx.Done():
				ended <- ctx.Err()
				return
			}
		}
	}()
	s.unsent, s.failed = s.sorted(), nil
	tick := time.NewTicker(s.c.cfg.Pause)
	defer tick.Stop()
	for {
		for _, u := range s.unsent {
			if err := st.SendMsg(&u.item); err != nil {
				break // the receiver has the cause
			}
		}
		s.unsent = s.unsent[:0]
		if s.closed && len(s.pending) == 0 {
			return true, st.CloseSend()
		}
		in := s.in
		if len(s.pending) >= window || s.closed {
			in = nil
		}
		select {
		case u, ok := <-in:
			if !ok {
				s.closed = true
				break
			}
			if len(s.pending) == 0 {
				dog.Reset(s.c.cfg.Timeout)
			}
			s.add(u)
		case a, ok := <-acks:
			if !ok {
				return progress, cmp.Or(context.Cause(ctx), <-ended)
			}
			progress = true
			dog.Reset(s.c.cfg.Timeout)
			s.acked(a)
		case now := <-tick.C:
			if len(s.pending) == 0 {
				dog.Reset(s.c.cfg.Timeout)
			}
			s.failed = slices.DeleteFunc(s.failed, func(u *update) bool {
				due := !now.Before(u.due)
				if due {
					s.unsent = append(s.unsent, u)
				}
				return due
			})
		case <-ctx.Done():
			return progress, context.Cause(ctx)
		}
	}
}

// add adds an update to the pending ones.
func (s *sender) add(u *update) {
	s.last++
	u.number = s.last
	u.item.id = strconv.FormatUint(u.number, 10)
	s.pending[u.item.id] = u
	s.unsent = append(s.unsent, u)
}

// acked handles an ack. Acks of unknown updates are ignored.
func (s *sender) acked(a ack) {
	u := s.pending[a.id]
	if u == nil {
		return
	}
	if a.status != ackOK && a.status != ackSkipped {
		if u.attempts++; u.attempts < s.c.cfg.Attempts {
			u.due = time.Now().Add(doubled(s.c.cfg.Pause, u.attempts, maxWait))
			s.failed = append(s.failed, u)
			return
		}
	}
	delete(s.pending, a.id)
	if next := u.done(a.status); next != nil {
		s.add(next)
	}
}
