package packed

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"github.com/pierrec/lz4/v4"

	"chaffinch/internal/readers"
)

// lz4Member decompresses frames of LZ4 one at a time: the library would continue with the next
// frame.
type lz4Member struct {
	f frame
	z *lz4.Reader
}

var (
	errNoLZ4   = errors.New("no lz4 frame begins here")
	errLZ4Head = errors.New("lz4: damaged frame header")
)

// Bits of the first byte of a frame descriptor (LZ4 Frame Format 1.6.4).
const (
	lz4HasDict     = 1 << 0
	lz4ContentSum  = 1 << 2
	lz4ContentSize = 1 << 3
	lz4BlockSum    = 1 << 4
)

// pass skips skippable frames.
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
			return readers.Unexpected(err)
		}
	}
}

func (m *lz4Member) begin(s *source) error {
	var err error
	if m.f, err = lz4Frame(s.br); err != nil {
		return err
	}
	m.close()
	m.z = lz4.NewReader(&m.f) // a new one, without state from the previous frame
	return nil
}

// lz4Frame returns the frame that begins at the next byte of br.
func lz4Frame(br *bufio.Reader) (frame, error) {
	head, err := frameHead(br, 7)
	if err != nil {
		return frame{}, err
	}
	if KindOf(head) != LZ4 {
		return frame{}, errNoLZ4
	}
	flags, size := head[4], 7
	if flags>>6 != 1 {
		return frame{}, errLZ4Head
	}
	if flags&lz4ContentSize != 0 {
		size += 8
	}
	if flags&lz4HasDict != 0 {
		size += 4 // the library rejects it
	}
	behind := 0
	if flags&lz4BlockSum != 0 {
		behind = 4
	}
	block := func(br *bufio.Reader) (int, bool, error) {
		h, err := br.Peek(4)
		if err != nil {
			return 0, false, readers.Unexpected(err)
		}
		n := int(binary.LittleEndian.Uint32(h) & (1<<31 - 1))
		if n == 0 {
			return 4, true, nil
		}
		return 4 + n + behind, false, nil
	}
	return frame{br: br, block: block, left: size, sum: flags&lz4ContentSum != 0}, nil
}

// Read returns io.EOF at the end of the frame.
func (m *lz4Member) Read(p []byte) (int, error) {
	n, err := m.z.Read(p)
	if err == io.EOF && !(m.f.last && m.f.left == 0 && !m.f.sum) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (m *lz4Member) close() {
	if m.z != nil {
		m.z.Reset(nil) // returns its buffers
		m.z = nil
	}
}
