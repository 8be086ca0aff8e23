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
	n      atomic.Int64 // bytes taken from in, or from what was read ahead of it
	br     *bufio.Reader

	first int64  // offset from which bytes were taken in order
	ahead *ahead // of n, nil where nothing is
	whole bool   // ahead has come to the end of in
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
	if s.ahead != nil && len(p) > 0 {
		if n := s.ahead.copy(p, s.n.Load()); n > 0 {
			s.n.Add(int64(n))
			return n, nil
		}
		err := s.ahead.err
		if s.stop(); err != io.EOF {
			return 0, err
		}
	}
	n, err := s.in.Read(p)
	s.n.Add(int64(n))
	return n, err
}

// readAhead begins to unpack gzip members, which may be most bytes, ahead of the user,
// if the input is worth it: a file of which some was read in order.
func (s *source) readAhead(workers int, most int64) {
	if workers > 1 && s.ahead == nil && !s.whole && s.seeker != nil && s.offset()-s.first >= steady {
		s.ahead = newAhead(s.in, s.n.Load(), workers, most)
	}
}

// stop ends reading ahead, at the end of the input or before another place is gone to.
func (s *source) stop() {
	if s.ahead != nil {
		s.ahead.close()
		s.ahead, s.whole = nil, true
	}
}

// pass goes to off, up to which what was read ahead has been used.
func (s *source) pass(off int64) {
	s.n.Store(off)
	s.br.Reset(s)
}

// offset is the place of the next byte of br.
func (s *source) offset() int64 { return s.n.Load() - int64(s.br.Buffered()) }

// seek goes to an absolute offset of an input that can.
func (s *source) seek(off int64) error {
	s.stop()
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
	s.first, s.whole = off, false
	s.pass(off)
	return nil
}

// restart counts from 0 after the input was set to its beginning.
func (s *source) restart() {
	s.n.Store(0)
	s.br.Reset(s)
}
