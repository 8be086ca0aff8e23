package packed

import (
	"fmt"
	"io"
	"sync"

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

// encoders are those of zstd that nobody uses: each holds some megabytes, which would be
// cleared anew for every small file.
var encoders = sync.Pool{New: func() any {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // of the options
	}
	return z
}}

// NewWriter returns a Writer to w, which Close leaves open. begun tells that w
// holds a member already.
func NewWriter(w io.Writer, kind Kind, begun bool) (*Writer, error) {
	p := &Writer{w: w, begun: begun}
	switch kind {
	case Gzip:
		p.pack = gzip.NewWriter(nil)
	case Zstd:
		p.pack = encoders.Get().(*zstd.Encoder)
	default:
		return nil, fmt.Errorf("%s is not written: take one of %s", kind, WrittenSuffixes())
	}
	return p, nil
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

// Close ends the last member. A file without any is one that is empty. Nothing is written
// after it.
func (p *Writer) Close() error {
	if !p.begun {
		p.begun, p.member = true, 1
		p.pack.Reset(p.w)
	}
	err := p.Cut()
	if z, ok := p.pack.(*zstd.Encoder); ok {
		z.Reset(nil)
		encoders.Put(z)
		p.pack = nil
	}
	return err
}
