package readers

import (
	"context"
	"io"

	"chaffinch/internal/panics"
)

// Until returns a reader that returns the error of ctx once it is done. It does not interrupt a
// blocked read: see [Waiting].
func Until(ctx context.Context, r io.Reader) io.Reader { return &reader{ctx, r} }

type reader struct {
	ctx context.Context
	r   io.Reader
}

func (s *reader) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// Waiting reads a pipe or a terminal, which may block for a long time. A read returns the error of
// the context even while it blocks. Data that arrive later are lost.
//
// It reads on another goroutine into a separate buffer, since the read may continue after Read has
// returned.
type Waiting struct {
	ctx  context.Context
	r    io.Reader
	buf  []byte
	done chan chunk
}

type chunk struct {
	n   int
	err error
}

// NewWaiting returns a Waiting that reads r until ctx is done.
func NewWaiting(ctx context.Context, r io.Reader) *Waiting {
	return &Waiting{ctx: ctx, r: r, done: make(chan chunk, 1)}
}

// Read implements [io.Reader].
func (w *Waiting) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	if len(w.buf) < len(p) {
		w.buf = make([]byte, len(p))
	}
	go func() {
		var c chunk
		c.err = panics.Catch(func() (err error) { c.n, err = w.r.Read(w.buf[:len(p)]); return err })
		w.done <- c
	}()
	select {
	case c := <-w.done:
		return copy(p, w.buf[:c.n]), c.err
	case <-w.ctx.Done():
		return 0, w.ctx.Err()
	}
}

// Raw returns the underlying reader.
func (w *Waiting) Raw() io.Reader { return w.r }
