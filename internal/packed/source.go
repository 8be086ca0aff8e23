package packed

import (
	"bufio"
	"fmt"
	"io"
	"sync/atomic"
)

// source is the compressed file, buffered and with an exact offset.
type source struct {
	in     io.Reader
	seeker io.Seeker
	n      atomic.Int64 // bytes read from in or from ahead
	br     *bufio.Reader

	first int64  // offset from which bytes were read sequentially
	ahead *ahead // reads from offset n; nil if inactive
	whole bool   // ahead has reached the end of in
}

func newSource(in io.Reader) *source {
	s := &source{in: in}
	if k, ok := in.(io.Seeker); ok {
		if _, err := k.Seek(0, io.SeekCurrent); err == nil { // a pipe returns an error
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

// readAhead starts decompressing gzip members of at most most bytes ahead of the user, if a part of
// the file was read sequentially.
func (s *source) readAhead(workers int, most int64) {
	if workers > 1 && s.ahead == nil && !s.whole && s.seeker != nil && s.offset()-s.first >= steady {
		s.ahead = newAhead(s.in, s.n.Load(), workers, most)
	}
}

// stop ends reading ahead, at the end of the input or before a seek.
func (s *source) stop() {
	if s.ahead != nil {
		s.ahead.close()
		s.ahead, s.whole = nil, true
	}
}

// pass moves to off, up to which the data read ahead have been used.
func (s *source) pass(off int64) {
	s.n.Store(off)
	s.br.Reset(s)
}

// offset returns the offset of the next byte of br.
func (s *source) offset() int64 { return s.n.Load() - int64(s.br.Buffered()) }

// seek moves a seekable input to an absolute offset.
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

// restart resets the offset to 0 after the input was set to its start.
func (s *source) restart() {
	s.n.Store(0)
	s.br.Reset(s)
}
