package packed

import (
	"bufio"
	"fmt"
	"io"
	"sync/atomic"
)

// source is the packed file: buffered, with an exact offset.
type source struct {
	in     io.Reader
	seeker io.Seeker
	n      atomic.Int64 // bytes taken from in
	br     *bufio.Reader
}

func newSource(in io.Reader) *source {
	s := &source{in: in}
	if k, ok := in.(io.Seeker); ok {
		if _, err := k.Seek(0, io.SeekCurrent); err == nil { // a pipe says it cannot
			s.seeker = k
		}
	}
	s.br = bufio.NewReaderSize(s, 64<<10)
	return s
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.in.Read(p)
	s.n.Add(int64(n))
	return n, err
}

// offset is the place of the next byte of br.
func (s *source) offset() int64 { return s.n.Load() - int64(s.br.Buffered()) }

// seek goes to an absolute offset of an input that can.
func (s *source) seek(off int64) error {
	size, err := s.seeker.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if off > size {
		return fmt.Errorf("offset %d of a file of %d bytes: %w", off, size, io.ErrUnexpectedEOF)
	}
	if _, err := s.seeker.Seek(off, io.SeekStart); err != nil {
		return err
	}
	s.n.Store(off)
	s.br.Reset(s)
	return nil
}

// restart counts from 0 after the input was set to its beginning.
func (s *source) restart() {
	s.n.Store(0)
	s.br.Reset(s)
}
