package readers

import (
	"context"
	"io"

	"chaffinch/internal/panics"
)

// Until returns a reader that ends with the error of ctx when it is done. It does
// not end a read that waits: see [Waiting].
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

// Waiting reads a pipe or a terminal, which may have nothing for a long time: it
// ends with the error of its context also while it waits. What comes afterwards is
// lost.
//
// It reads on another goroutine into a buffer of its own, since the read may be
// under way when nobody waits for it any more.
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

// NewWaiting returns a reader of r that ends when ctx is done.
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

// Raw returns what is read.
func (w *Waiting) Raw() io.Reader { return w.r }
