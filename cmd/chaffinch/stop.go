package main

import (
	"context"
	"io"

	"chaffinch/internal/guard"
)

// stopWith returns a reader that ends with the error of ctx when it is done.
func stopWith(ctx context.Context, r io.Reader) io.Reader { return &stoppable{ctx, r} }

type stoppable struct {
	ctx context.Context
	r   io.Reader
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

// stopWaiting is stopWith for standard input, which may be a pipe or a terminal
// that has nothing for a long time: the reader ends while it waits, too. What r
// gives afterwards is lost.
func stopWaiting(ctx context.Context, r io.Reader) io.Reader {
	return &waiting{ctx: ctx, r: r, done: make(chan chunk, 1)}
}

// waiting reads on another goroutine into a buffer of its own, since the read may
// be under way when nobody waits for it any more.
type waiting struct {
	ctx  context.Context
	r    io.Reader
	buf  []byte
	done chan chunk
}

type chunk struct {
	n   int
	err error
}

func (w *waiting) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	if len(w.buf) < len(p) {
		w.buf = make([]byte, len(p))
	}
	go func() {
		var c chunk
		c.err = guard.Do(func() (err error) { c.n, err = w.r.Read(w.buf[:len(p)]); return err })
		w.done <- c
	}()
	select {
	case c := <-w.done:
		return copy(p, w.buf[:c.n]), c.err
	case <-w.ctx.Done():
		return 0, w.ctx.Err()
	}
}
