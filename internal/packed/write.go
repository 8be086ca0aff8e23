package packed

import (
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// memberBytes is the number of uncompressed bytes after which a member is full.
const memberBytes = 1 << 20

// Writer compresses its input in members. A later Writer can append to the file after a complete
// member.
type Writer struct {
	w      io.Writer
	pack   packer
	member int64 // uncompressed bytes of the current member, 0 between members
	begun  bool
}

// packer compresses one member; Reset starts the next.
type packer interface {
	io.WriteCloser
	Reset(w io.Writer)
}

// encoders holds idle zstd encoders. Each holds some megabytes, which a new encoder would clear for
// every small file. On text, the fastest level takes 70 % of the time of the default one for 1 to
// 4 % more bytes. A window larger than a member has no use.
var encoders = sync.Pool{New: func() any {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(memberBytes), zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // invalid options
	}
	return z
}}

// NewWriter returns a Writer to w, which Close does not close. begun reports whether w already has
// a member.
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

// Full reports whether the current member is large enough to be ended. It depends only on the
// input, so that the same input gives the same bytes.
func (p *Writer) Full() bool { return p.member >= memberBytes }

// Cut ends the current member.
func (p *Writer) Cut() error {
	if p.member == 0 {
		return nil
	}
	p.member = 0
	return p.pack.Close()
}

// Close ends the last member. A file without members gets an empty one. Nothing may be written
// afterwards.
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
