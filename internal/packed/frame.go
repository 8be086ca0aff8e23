package packed

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/readers"
)

// Magic numbers of the zstd format (RFC 8878, section 3.1).
const (
	dictMagic    = "\x37\xa4\x30\xec"
	warcDictType = 0x184D2A5D // the skippable frame with a zstd WARC's dictionary
)

// isSkippable reports whether head begins a skippable frame of zstd.
func isSkippable(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && head[1] == 0x2a && head[2] == 0x4d && head[3] == 0x18
}

// skippable skips a skippable frame. The skippable frame of a zstd WARC holds a dictionary for all
// frames, which may itself be compressed.
func (m *zstdMember) skippable(s *source, head []byte) error {
	if len(head) < 8 {
		return io.ErrUnexpectedEOF
	}
	magic, size := binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[4:])
	s.br.Discard(8)
	if magic != warcDictType || m.z != nil || size > maxDictionary {
		_, err := s.br.Discard(int(size))
		return readers.Unexpected(err)
	}
	d := make([]byte, size)
	if _, err := io.ReadFull(s.br, d); err != nil {
		return readers.Unexpected(err)
	}
	if KindOf(d) == Zstd {
		z, err := zstd.NewReader(bytes.NewReader(d), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxDictionary))
		if err != nil {
			return err
		}
		defer z.Close()
		if d, err = io.ReadAll(io.LimitReader(z, maxDictionary)); err != nil {
			return fmt.Errorf("dictionary frame: %w", err)
		}
	}
	if !bytes.HasPrefix(d, []byte(dictMagic)) {
		return errors.New("dictionary frame without a zstd dictionary")
	}
	m.dict = d
	return nil
}

// frame reads the bytes of exactly one frame of zstd or lz4 and then returns io.EOF. It parses the
// block headers, since the decoders do not report the end of a frame.
type frame struct {
	br    *bufio.Reader
	block func(br *bufio.Reader) (size int, last bool, err error) // reads the header of the next block
	left  int                                                     // bytes of the current part
	last  bool                                                    // no block follows
	sum   bool                                                    // a checksum follows the last block
}

var (
	errNoFrame  = errors.New("no zstd frame begins here")
	errReserved = errors.New("zstd block of the reserved type")
)

// zstdFrame returns the frame that begins at the next byte of br.
func zstdFrame(br *bufio.Reader) (frame, error) {
	h, err := frameHead(br, 5)
	if err != nil {
		return frame{}, err
	}
	if !bytes.HasPrefix(h, []byte(kinds[Zstd].magic)) {
		return frame{}, errNoFrame
	}
	d := h[4]
	single := d&0x20 != 0
	size := 5 + [4]int{0, 1, 2, 4}[d&3] + [4]int{0, 2, 4, 8}[d>>6]
	if !single || d>>6 == 0 {
		size++ // window descriptor, or a content size of one byte
	}
	return frame{br: br, block: zstdBlock, left: size, sum: d&4 != 0}, nil
}

// frameHead returns the next n bytes, or io.EOF if the input is empty.
func frameHead(br *bufio.Reader, n int) ([]byte, error) {
	h, err := br.Peek(n)
	if len(h) == n {
		return h, nil
	}
	if len(h) > 0 {
		err = readers.Unexpected(err)
	}
	return nil, err
}

// zstdBlock reads the header of a block (RFC 8878, section 3.1.1).
func zstdBlock(br *bufio.Reader) (size int, last bool, err error) {
	h, err := br.Peek(3)
	if err != nil {
		return 0, false, readers.Unexpected(err)
	}
	v := int(h[0]) | int(h[1])<<8 | int(h[2])<<16
	last = v&1 != 0
	switch v >> 1 & 3 {
	case 0, 2:
		return 3 + v>>3, last, nil
	case 1:
		return 4, last, nil
	}
	return 0, false, errReserved
}

func (f *frame) Read(p []byte) (int, error) {
	if f.left == 0 && f.last {
		if !f.sum {
			return 0, io.EOF
		}
		f.sum, f.left = false, 4
	}
	if f.left == 0 {
		var err error
		if f.left, f.last, err = f.block(f.br); err != nil {
			return 0, err
		}
	}
	n, err := f.br.Read(p[:min(len(p), f.left)])
	f.left -= n
	return n, readers.Unexpected(err)
}
