package packed

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// lz4Member unpacks frames of LZ4 (LZ4 Frame Format 1.6.4, LZ4 Block Format).
type lz4Member struct {
	br      *bufio.Reader
	flags   byte
	maxSize int    // unpacked bytes of a block
	out     []byte // up to 64 KB of history, then the block at hand
	taken   int    // bytes of out that were read
	in      []byte // packed block
	sum     xxh32  // of the whole content
	ended   bool
}

// Bits of the frame descriptor's first byte.
const (
	lz4HasDict     = 1 << 0
	lz4ContentSum  = 1 << 2
	lz4ContentSize = 1 << 3
	lz4BlockSum    = 1 << 4
	lz4Independent = 1 << 5

	lz4History = 64 << 10
)

var (
	errNoLZ4    = errors.New("no lz4 frame begins here")
	errLZ4      = errors.New("lz4: damaged block")
	errLZ4Sum   = errors.New("lz4: wrong checksum")
	errLZ4Head  = errors.New("lz4: damaged frame header")
	errLZ4Dict  = errors.New("lz4: a dictionary is wanted that is not there")
	errLZ4Sized = errors.New("lz4: block larger than the frame allows")
)

// pass passes skippable frames.
func (m *lz4Member) pass(s *source) error {
	for {
		head, err := s.br.Peek(8)
		if len(head) == 0 {
			return err
		}
		if len(head) < 8 || !isSkippable(head) {
			return nil
		}
		if _, err := s.br.Discard(8 + int(binary.LittleEndian.Uint32(head[4:]))); err != nil {
			return noEOF(err)
		}
	}
}

func (m *lz4Member) begin(s *source) error {
	head, err := s.br.Peek(7)
	if len(head) < 7 {
		if err == io.EOF && len(head) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	if string(head[:4]) != kinds[LZ4].magic {
		return errNoLZ4
	}
	flags, code := head[4], head[5]>>4&7
	if flags>>6 != 1 || code < 4 {
		return errLZ4Head
	}
	if flags&lz4HasDict != 0 {
		return errLZ4Dict
	}
	size := 7
	if flags&lz4ContentSize != 0 {
		size += 8
	}
	if head, err = s.br.Peek(size); err != nil {
		return noEOF(err)
	}
	if byte(sum32(head[4:size-1])>>8) != head[size-1] {
		return errLZ4Head
	}
	s.br.Discard(size)
	m.br, m.flags, m.maxSize = s.br, flags, 1<<(8+2*code)
	m.out, m.taken, m.ended = m.out[:0], 0, false
	m.sum.reset()
	return nil
}

func (m *lz4Member) Read(p []byte) (int, error) {
	for m.taken == len(m.out) {
		if m.ended {
			return 0, io.EOF
		}
		if err := m.block(); err != nil {
			return 0, err
		}
	}
	n := copy(p, m.out[m.taken:])
	m.taken += n
	return n, nil
}

func (m *lz4Member) close() {}

// uint32 reads four bytes.
func (m *lz4Member) uint32() (uint32, error) {
	b, err := m.br.Peek(4)
	if err != nil {
		return 0, noEOF(err)
	}
	v := binary.LittleEndian.Uint32(b)
	m.br.Discard(4)
	return v, nil
}

// block unpacks the next block behind the history, or ends the frame.
func (m *lz4Member) block() error {
	size, err := m.uint32()
	if err != nil {
		return err
	}
	if size == 0 {
		m.ended = true
		if m.flags&lz4ContentSum != 0 {
			if want, err := m.uint32(); err != nil {
				return err
			} else if want != m.sum.sum() {
				return errLZ4Sum
			}
		}
		return nil
	}
	stored := size>>31 != 0
	size &= 1<<31 - 1
	if int(size) > m.maxSize {
		return errLZ4Sized
	}
	if m.flags&lz4Independent != 0 {
		m.out = m.out[:0]
	} else if n := len(m.out); n > lz4History {
		m.out = m.out[:copy(m.out, m.out[n-lz4History:])]
	}
	m.taken = len(m.out)
	if cap(m.in) < int(size) {
		m.in = make([]byte, size)
	}
	m.in = m.in[:size]
	if _, err := io.ReadFull(m.br, m.in); err != nil {
		return noEOF(err)
	}
	if m.flags&lz4BlockSum != 0 {
		if want, err := m.uint32(); err != nil {
			return err
		} else if want != sum32(m.in) {
			return errLZ4Sum
		}
	}
	if stored {
		m.out = append(m.out, m.in...)
	} else if m.out, err = unpackLZ4(m.out, m.in, m.taken+m.maxSize); err != nil {
		m.out = m.out[:m.taken]
		return err
	}
	if m.flags&lz4ContentSum != 0 {
		m.sum.write(m.out[m.taken:])
	}
	return nil
}

// unpackLZ4 appends the unpacked block src to dst, which it lets grow to at
// most limit bytes and which matches may reach back into.
func unpackLZ4(dst, src []byte, limit int) ([]byte, error) {
	length := func(n int) (int, bool) { // the rest of a length that begins with n
		if n != 15 {
			return n, true
		}
		for len(src) > 0 {
			c := src[0]
			src = src[1:]
			n += int(c)
			if c != 255 {
				return n, true
			}
		}
		return 0, false
	}
	for len(src) > 0 {
		token := src[0]
		src = src[1:]
		n, ok := length(int(token >> 4))
		if !ok || n > len(src) || len(dst)+n > limit {
			return dst, errLZ4
		}
		dst = append(dst, src[:n]...)
		if src = src[n:]; len(src) == 0 {
			return dst, nil // the last sequence has no match
		}
		if len(src) < 2 {
			return dst, errLZ4
		}
		back := int(src[0]) | int(src[1])<<8
		src = src[2:]
		n, ok = length(int(token & 15))
		if n += 4; !ok || back == 0 || back > len(dst) || len(dst)+n > limit {
			return dst, errLZ4
		}
		for n > 0 { // a match may overlap what it makes
			from := len(dst) - back
			k := min(n, back)
			dst = append(dst, dst[from:from+k]...)
			n -= k
		}
	}
	return dst, fmt.Errorf("%w: no last literals", errLZ4)
}
