package main

import (
	"context"
	"io"
	"os"

	"chaffinch/internal/guard"
	"chaffinch/internal/screen"
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

// stdin is standard input, which may be a pipe or a terminal that has nothing for
// a long time: reading ends with the error of ctx when it is done, also while it
// waits. What comes afterwards is lost.
//
// It reads on another goroutine into a buffer of its own, since the read may be
// under way when nobody waits for it any more.
type stdin struct {
	ctx  context.Context
	r    io.Reader
	buf  []byte
	done chan chunk
}

type chunk struct {
	n   int
	err error
}

func newStdin(ctx context.Context, r io.Reader) *stdin {
	return &stdin{ctx: ctx, r: r, done: make(chan chunk, 1)}
}

func (s *stdin) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	if len(s.buf) < len(p) {
		s.buf = make([]byte, len(p))
	}
	go func() {
		var c chunk
		c.err = guard.Do(func() (err error) { c.n, err = s.r.Read(s.buf[:len(p)]); return err })
		s.done <- c
	}()
	select {
	case c := <-s.done:
		return copy(p, s.buf[:c.n]), c.err
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	}
}

// fileOf returns the file behind a stream of the console.
func fileOf(stream any) (file *os.File, ok bool) {
	if in, is := stream.(*stdin); is {
		stream = in.r
	}
	file, ok = screen.Raw(stream).(*os.File)
	return file, ok
}
