package packed

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"io"

	"chaffinch/internal/readers"
)

// bzip2Member reads a stream of bzip2. Files may contain several, such as dumps of MediaWiki.
type bzip2Member struct {
	z io.Reader
}

var errNoStream = errors.New("no bzip2 stream begins here")

func (m *bzip2Member) pass(*source) error { return nil }

func (m *bzip2Member) begin(s *source) error {
	head, err := s.br.Peek(10)
	if len(head) == 0 {
		return err
	}
	if KindOf(head) != Bzip2 && !isEmptyStream(head) {
		return errNoStream
	}
	m.z = bzip2.NewReader(&stream{br: s.br})
	return nil
}

// isEmptyStream reports whether head begins a stream without blocks.
func isEmptyStream(head []byte) bool {
	return len(head) == 10 && string(head[:3]) == "BZh" && string(head[4:]) == "\x17\x72\x45\x38\x50\x90"
}

func (m *bzip2Member) Read(p []byte) (int, error) {
	n, err := m.z.Read(p)
	if err != io.EOF {
		err = readers.Unexpected(err)
	}
	return n, err
}

func (m *bzip2Member) close() {}

// stream reads the bytes of one stream. It ends where the next stream begins, so that the reader of
// bzip2 does not continue there.
type stream struct {
	br    *bufio.Reader
	begun bool
}

func (s *stream) ReadByte() (byte, error) {
	if b, _ := s.br.Peek(1); s.begun && len(b) == 1 && b[0] == 'B' {
		if head, _ := s.br.Peek(10); KindOf(head) == Bzip2 || isEmptyStream(head) {
			return 0, io.EOF
		}
	}
	s.begun = true
	return s.br.ReadByte()
}

func (s *stream) Read(p []byte) (int, error) { return 0, errors.ErrUnsupported }
