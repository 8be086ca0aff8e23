package packed

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"chaffinch/internal/inflate"
	"chaffinch/internal/readers"
)

// member decompresses one member at a time.
type member interface {
	// pass skips data between members.
	pass(s *source) error
	// begin starts at the next byte of s. It returns io.EOF at the end of the input.
	begin(s *source) error
	// Read returns io.EOF at the end of the member.
	Read(p []byte) (int, error)
	close()
}

// plainMember reads an uncompressed file as a single member.
type plainMember struct{ br *bufio.Reader }

func (m *plainMember) pass(*source) error { return nil }

func (m *plainMember) begin(s *source) error {
	if _, err := s.br.Peek(1); err != nil {
		return err
	}
	m.br = s.br
	return nil
}

func (m *plainMember) Read(p []byte) (int, error) { return m.br.Read(p) }
func (m *plainMember) close()                     {}

type gzipMember struct {
	z       inflate.Reader
	workers int
	most    int64 // maximum size of a member that is decompressed ahead
	s       *source
	head    int64  // bytes of the header
	ready   bool   // the member was decompressed ahead, to text
	text    []byte // its unread rest
	end     int64
}

// newGzip returns a member that decompresses the gzip members of r.
func newGzip(r *Reader) *gzipMember {
	m := &gzipMember{workers: r.cfg.Workers, most: r.cfg.GraceBytes}
	m.z.Check = func(taken, given int64) error { return r.checkRatio(m.head+taken, given) }
	return m
}

var errNoMember = errors.New("no gzip member begins here")

// pass skips the zeros that tapes and disks add after a member.
func (m *gzipMember) pass(s *source) error {
	m.text, m.ready = nil, false
	if m.take(s) {
		return nil
	}
	for {
		b, err := s.br.ReadByte()
		if err != nil {
			return err
		}
		if b != 0 {
			return s.br.UnreadByte()
		}
	}
}

// take reports whether the member at the next byte of s was decompressed ahead. If so, it uses the
// result.
func (m *gzipMember) take(s *source) bool {
	if s.ahead != nil {
		m.text, m.end, m.ready = s.ahead.member(s.offset())
	}
	return m.ready
}

func (m *gzipMember) begin(s *source) error {
	m.s = s
	if m.ready || m.take(s) {
		return nil
	}
	s.readAhead(m.workers, m.most)
	head, err := s.br.Peek(3)
	if err != nil && err != io.EOF {
		return err
	}
	if KindOf(head) != Gzip {
		return errNoMember
	}
	at := s.offset()
	err = m.z.Reset(s.br)
	m.head = s.offset() - at
	return readers.Unexpected(err)
}

func (m *gzipMember) Read(p []byte) (int, error) {
	if !m.ready {
		return m.z.Read(p)
	}
	n := copy(p, m.text)
	if m.text = m.text[n:]; len(m.text) > 0 {
		return n, nil
	}
	m.s.pass(m.end)
	return n, io.EOF
}

// passText moves after a member that was decompressed ahead, like reading its rest.
func (m *gzipMember) passText() (int, error) {
	n := len(m.text)
	m.text = nil
	m.s.pass(m.end)
	return n, io.EOF
}

func (m *gzipMember) close() {}

// maxWindow is the largest zstd window that is read, which limits the memory: the window of the zstd
// program with long matches of 27 bits.
const maxWindow = 128 << 20

// maxDictionary is the maximum size of the dictionary at the start of a zstd WARC.
const maxDictionary = 16 << 20

// decoders holds idle zstd decoders without a dictionary: each holds a window.
var decoders = sync.Pool{New: func() any {
	z, err := newDecoder()
	if err != nil {
		panic(err) // invalid options
	}
	return z
}}

func newDecoder(opts ...zstd.DOption) (*zstd.Decoder, error) {
	return zstd.NewReader(nil, append(opts, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))...)
}

type zstdMember struct {
	f    frame
	z    *zstd.Decoder
	dict []byte
}

// pass skips skippable frames and reads a dictionary from them.
func (m *zstdMember) pass(s *source) error {
	for {
		head, err := s.br.Peek(8)
		if len(head) == 0 {
			return err
		}
		if !isSkippable(head) {
			return nil
		}
		if err := m.skippable(s, head); err != nil {
			return err
		}
	}
}

func (m *zstdMember) begin(s *source) error {
	var err error
	if m.f, err = zstdFrame(s.br); err != nil {
		return err
	}
	switch {
	case m.z != nil:
	case m.dict == nil:
		m.z = decoders.Get().(*zstd.Decoder)
	default:
		if m.z, err = newDecoder(zstd.WithDecoderDicts(m.dict)); err != nil {
			return err
		}
	}
	return m.z.Reset(&m.f)
}

// Read returns io.EOF at the end of the frame, after all its bytes were read from the source.
func (m *zstdMember) Read(p []byte) (int, error) {
	n, err := m.z.Read(p)
	if err == io.EOF {
		if _, derr := io.Copy(io.Discard, &m.f); derr != nil {
			err = derr
		}
	}
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = fmt.Errorf("zstd window of more than %d MB: pack it again with a smaller one", maxWindow>>20)
	}
	return n, err
}

func (m *zstdMember) close() {
	switch {
	case m.z == nil:
	case m.dict != nil || m.z.Reset(nil) != nil:
		m.z.Close()
	default:
		decoders.Put(m.z)
	}
	m.z = nil
}
