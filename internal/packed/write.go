package packed

import (
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// memberBytes is the number of unpacked bytes after which a member is full.
const memberBytes = 1 << 20

// Writer packs what is written to it, in members: whoever goes on writing the
// file begins behind a whole one.
type Writer struct {
	w      io.Writer
	pack   packer
	member int64 // unpacked bytes of the member at hand, 0 between two
	begun  bool
}

// packer packs one member; Reset begins the next.
type packer interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// NewWriter returns a Writer to w, which Close leaves open. begun tells that w
// holds a member already.
func NewWriter(w io.Writer, kind Kind, begun bool) (*Writer, error) {
	p := &Writer{w: w, begun: begun}
	var err error
	switch kind {
	case Gzip:
		p.pack = gzip.NewWriter(nil)
	case Zstd:
		p.pack, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	default:
		err = fmt.Errorf("%s is not written: take one of %s", kind, WrittenSuffixes())
	}
	return p, err
}

// Write packs b.
func (p *Writer) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	if p.member == 0 {
		p.pack.Reset(p.w)
		p.begun = true
	}
	n, err := p.pack.Write(b)
	p.member += int64(n)
	return n, err
}

// Full tells that the member at hand is large enough to be ended. That depends on
// what was written alone, so that the same input gives the same bytes.
func (p *Writer) Full() bool { return p.member >= memberBytes }

// Cut ends the member at hand.
func (p *Writer) Cut() error {
	if p.member == 0 {
		return nil
	}
	p.member = 0
	return p.pack.Close()
}

// Close ends the last member. A file without any is one that is empty.
func (p *Writer) Close() error {
	if !p.begun {
		p.begun = true
		p.pack.Reset(p.w)
		return p.pack.Close()
	}
	return p.Cut()
}
