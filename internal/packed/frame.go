package packed

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Magic numbers of the zstd format (RFC 8878, section 3.1).
const (
	dictMagic    = "\x37\xa4\x30\xec"
	warcDictType = 0x184D2A5D // the skippable frame with a zstd WARC's dictionary
)

// isSkippable tells whether head begins a skippable frame of zstd.
func isSkippable(head []byte) bool {
	return len(head) >= 4 && head[0]&0xf0 == 0x50 && head[1] == 0x2a && head[2] == 0x4d && head[3] == 0x18
}

// skippable passes a skippable frame; that of a zstd WARC holds a dictionary
// for all frames, possibly packed itself.
func (m *zstdMember) skippable(s *source, head []byte) error {
	if len(head) < 8 {
		return io.ErrUnexpectedEOF
	}
	magic, size := binary.LittleEndian.Uint32(head), binary.LittleEndian.Uint32(head[4:])
	s.br.Discard(8)
	if magic != warcDictType || m.z != nil || size > maxDictionary {
		_, err := s.br.Discard(int(size))
		return noEOF(err)
	}
	d := make([]byte, size)
	if _, err := io.ReadFull(s.br, d); err != nil {
		return noEOF(err)
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

// frame passes the bytes of exactly one zstd frame and then returns io.EOF. It
// follows the block headers (RFC 8878, section 3.1.1), since the decoder does
// not tell where a frame ends.
type frame struct {
	br   *bufio.Reader
	left int  // bytes of the current part
	last bool // no block follows
	sum  bool // a checksum follows the last block
}

var (
	errNoFrame  = errors.New("no zstd frame begins here")
	errReserved = errors.New("zstd block of the reserved type")
)

func (f *frame) begin(br *bufio.Reader) error {
	h, err := br.Peek(5)
	if len(h) < 5 {
		if err == io.EOF && len(h) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	if !bytes.HasPrefix(h, []byte(kinds[Zstd].magic)) {
		return errNoFrame
	}
	d := h[4]
	single := d&0x20 != 0
	size := 5 + [4]int{0, 1, 2, 4}[d&3] + [4]int{0, 2, 4, 8}[d>>6]
	if !single || d>>6 == 0 {
		size++ // window descriptor, or a content size of one byte
	}
	*f = frame{br: br, left: size, sum: d&4 != 0}
	return nil
}

func (f *frame) Read(p []byte) (int, error) {
	for f.left == 0 {
		if f.last {
			if !f.sum {
				return 0, io.EOF
			}
			f.sum, f.left = false, 4
			break
		}
		h, err := f.br.Peek(3)
		if err != nil {
			return 0, noEOF(err)
		}
		v := int(h[0]) | int(h[1])<<8 | int(h[2])<<16
		f.last = v&1 != 0
		switch v >> 1 & 3 {
		case 0, 2:
			f.left = 3 + v>>3
		case 1:
			f.left = 4
		default:
			return 0, errReserved
		}
	}
	n, err := f.br.Read(p[:min(len(p), f.left)])
	f.left -= n
	return n, noEOF(err)
}
