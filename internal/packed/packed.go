// Package packed reads files that may be compressed with gzip, bzip2, zstd or lz4, member by member, with
// [NewReader], and writes gzip and zstd in members with [NewWriter]. A [Reader] records the
// position of every member (gzip) or frame, can seek to any position, rejects data that decompress
// to more than a limit, and finds the next readable member after damage. [KindOf] and [CutSuffix]
// are the only functions that identify compression formats.
package packed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
)

// Kind is the compression format of a file.
type Kind uint8

// The kinds. XZ is recognised but cannot be read.
const (
	Plain Kind = iota
	Gzip
	Zstd
	LZ4
	XZ
	Bzip2
)

var kinds = [...]struct{ name, magic, suffix string }{
	Plain: {"plain", "", ""},
	Gzip:  {"gzip", "\x1f\x8b\x08", ".gz"},
	Zstd:  {"zstd", "\x28\xb5\x2f\xfd", ".zst"},
	LZ4:   {"lz4", "\x04\x22\x4d\x18", ".lz4"},
	XZ:    {"xz", "\xfd7zXZ\x00", ".xz"},
	Bzip2: {"bzip2", "BZh", ".bz2"},
}

// String returns the name of the kind, such as "gzip".
func (k Kind) String() string { return kinds[k].name }

// KindOf returns the kind of a file from its first bytes.
func KindOf(head []byte) Kind {
	for k := Gzip; int(k) < len(kinds); k++ {
		if bytes.HasPrefix(head, []byte(kinds[k].magic)) {
			if k == Bzip2 && (len(head) < 10 || string(head[4:10]) != "1AY&SY") {
				continue // text may begin with "BZh"
			}
			return k
		}
	}
	if isSkippable(head) {
		return Zstd
	}
	return Plain
}

// ErrTooCompressed means that a member decompresses to more than the limit.
var ErrTooCompressed = errors.New("unpacks to more than the limit")

// errFormat means that a compression format is recognised but cannot be read.
var errFormat = errors.New("packed in a way that is not read")

// Damage is the error of data that cannot be decompressed. [Reader.Resync] skips them.
type Damage struct {
	Member int64 // offset of the damaged member
	At     int64 // offset up to which the file was read
	Err    error
}

// Error returns the cause, without the name of the file and the offset, which the caller adds.
func (d *Damage) Error() string { return d.Err.Error() }

// Unwrap returns the cause.
func (d *Damage) Unwrap() error { return d.Err }

// Config holds the limits of a Reader.
type Config struct {
	// MaxRatio is the maximum number of decompressed bytes per compressed byte, once GraceBytes of
	// a member have been decompressed.
	MaxRatio   float64
	GraceBytes int64
	// Accept reports whether decompressed bytes may be the start of a record. The search for the
	// next member after damage uses it. Default: a member is accepted if it decompresses without an
	// error.
	Accept func(head []byte) bool
	// Workers is the number of members of a seekable gzip file that are decompressed concurrently
	// ahead of the user. Values below 2 disable reading ahead. The content does not depend on it.
	// If set, the Reader must be closed before the file.
	Workers int
}

// Default allows the ratios that deflate reaches on repetitive text but rejects decompression
// bombs.
var Default = Config{MaxRatio: 300, GraceBytes: 16 << 20}

// Trusted is for files that this program has written: text may compress well.
var Trusted = Config{MaxRatio: 10_000, GraceBytes: 1 << 30}

// Pos is a position in the decompressed bytes that [Reader.Seek] can find again.
type Pos struct {
	// Member is the offset of the member that holds the byte; in a plain file the offset of the
	// byte. It is 0 in a file that is compressed twice.
	Member int64
	// Skip is the number of decompressed bytes from there.
	Skip int64
}

// end is the position after damage that no readable member follows.
var end = Pos{Skip: 1 << 62}

const (
	minBuffer = 64 << 10
	backtrack = 1 << 20 // bytes before damage from which the next member is searched
)

type mark struct{ at, member int64 } // decompressed offset of the start of a member

// Reader reads the decompressed bytes of a file. It is not safe for concurrent use, except for
// [Reader.PackedOffset].
type Reader struct {
	cfg   Config
	kind  Kind
	src   *source
	outer *Reader // set for a file that is compressed twice
	m     member
	open  bool // a member is being decompressed
	out   int64
	start int64

	buf    []byte
	own    []byte // set while buf is lent: the bytes of a member that was decompressed ahead
	r, w   int    // buf[r:w] is decompressed but not read
	off    int64  // decompressed offset of buf[r], from the last seek
	marks  []mark
	failed error // returned once the buffer is empty
	lost   bool  // no readable member follows
}

// NewReader returns a Reader of the decompressed bytes of in. It decompresses up to two layers.
// Seek and Resync use in as an [io.Seeker] if it is one.
func NewReader(in io.Reader, cfg Config) (*Reader, error) {
	r, err := layer(newSource(in), cfg)
	if err != nil || r.kind == Plain {
		return r, err
	}
	head, _ := r.Peek(10)
	switch k := KindOf(head); k {
	case Plain:
		return r, nil
	case Gzip, Zstd, LZ4, Bzip2:
		inner, err := layer(newSource(onlyReader{r}), cfg)
		if err != nil {
			return nil, err
		}
		inner.outer = r
		if head, _ := inner.Peek(10); KindOf(head) != Plain {
			return nil, fmt.Errorf("%w: more than two layers, unpack it first", errFormat)
		}
		return inner, nil
	default:
		return nil, errUnsupported(k)
	}
}

// onlyReader hides all methods except Read.
type onlyReader struct{ io.Reader }

func errUnsupported(k Kind) error {
	return fmt.Errorf("%w: %s (gzip, bzip2, zstd and lz4 are): unpack it first", errFormat, k)
}

func layer(src *source, cfg Config) (*Reader, error) {
	if cfg.MaxRatio <= 0 {
		cfg.MaxRatio = Default.MaxRatio
	}
	if cfg.GraceBytes <= 0 {
		cfg.GraceBytes = Default.GraceBytes
	}
	r := &Reader{cfg: cfg, src: src}
	head, err := src.br.Peek(10)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch r.kind = KindOf(head); r.kind {
	case Plain:
		r.m = &plainMember{}
	case Gzip:
		r.m = newGzip(r)
	case Zstd:
		r.m = &zstdMember{}
	case LZ4:
		r.m = &lz4Member{}
	case Bzip2:
		r.m = &bzip2Member{}
	default:
		return nil, errUnsupported(r.kind)
	}
	r.buf = make([]byte, minBuffer)
	return r, nil
}

// Kind returns the outermost compression format.
func (r *Reader) Kind() Kind {
	if r.outer != nil {
		return r.outer.Kind()
	}
	return r.kind
}

// PackedOffset returns the number of compressed bytes read so far. It may be called from other
// goroutines.
func (r *Reader) PackedOffset() int64 {
	if r.outer != nil {
		return r.outer.PackedOffset()
	}
	return r.src.n.Load()
}

// Close releases the decompressor. The Reader cannot be used afterwards. Close does not close the
// input.
func (r *Reader) Close() {
	r.m.close()
	r.src.stop()
	if r.outer != nil {
		r.outer.Close()
	}
}

// Offset returns the number of decompressed bytes read since the last Seek.
func (r *Reader) Offset() int64 { return r.off }

// Pos returns the position of the next byte.
func (r *Reader) Pos() Pos { return r.PosAt(r.off) }

// PosAt returns the position of the byte at a decompressed offset (as in Offset) that is not before
// the last call of Forget.
func (r *Reader) PosAt(off int64) Pos {
	if r.lost && off >= r.off+int64(r.w-r.r) {
		return end
	}
	if r.outer != nil {
		return Pos{0, off}
	}
	i := sort.Search(len(r.marks), func(i int) bool { return r.marks[i].at > off }) - 1
	if i < 0 {
		return Pos{r.start, off}
	}
	m := r.marks[i]
	if r.kind == Plain {
		return Pos{m.member + off - m.at, 0}
	}
	return Pos{m.member, off - m.at}
}

// At returns the offset in the file of p, for messages.
func (r *Reader) At(p Pos) int64 {
	if r.outer != nil {
		return r.outer.At(r.outer.Pos())
	}
	return p.Member
}

// Forget discards the positions before the next byte.
func (r *Reader) Forget() {
	i := sort.Search(len(r.marks), func(i int) bool { return r.marks[i].at > r.off }) - 1
	if i > 0 {
		r.marks = append(r.marks[:0], r.marks[i:]...)
	}
}

var errNoWayBack = errors.New("the input cannot go back: give it as a file")

// Seek moves to a result of Pos for the same file. An input that cannot seek is read up to that
// position, if it has not been passed.
func (r *Reader) Seek(p Pos) error {
	if p.Member < 0 || p.Skip < 0 {
		return fmt.Errorf("no such place: %d+%d", p.Member, p.Skip)
	}
	if p == end {
		r.Discard(int64(r.w - r.r))
		r.failed, r.lost = io.EOF, true
		return nil
	}
	if !r.canSeek() {
		return r.seekAhead(p)
	}
	if r.outer != nil {
		if err := r.outer.Seek(Pos{}); err != nil {
			return err
		}
		r.src.restart()
	} else if err := r.src.seek(p.Member); err != nil {
		return err
	}
	r.reset()
	r.start = p.Member
	return r.ahead(p, p.Skip)
}

func (r *Reader) canSeek() bool {
	if r.outer != nil {
		return r.outer.canSeek()
	}
	return r.src.seeker != nil
}

// ahead skips n bytes on the way to p.
func (r *Reader) ahead(p Pos, n int64) error {
	k, err := r.Discard(n)
	if k == n {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("place %d+%d is gone (the file has changed?): %w", p.Member, p.Skip, err)
}

// seekAhead reads up to p, also across damage.
func (r *Reader) seekAhead(p Pos) error {
	if r.kind == Plain || r.outer != nil {
		n := p.Member + p.Skip - r.off
		if n < 0 {
			return errNoWayBack
		}
		return r.ahead(p, n)
	}
	for {
		b, err := r.Buffered()
		for _, m := range r.marks {
			if m.member != p.Member {
				continue
			}
			if n := m.at + p.Skip - r.off; n >= 0 {
				return r.ahead(p, n)
			}
			return errNoWayBack
		}
		if _, ok := err.(*Damage); ok {
			if err = r.Resync(); err == nil {
				continue
			}
		}
		if err != nil {
			return r.ahead(p, 1)
		}
		if len(r.marks) > 0 && r.marks[0].member > p.Member {
			return errNoWayBack
		}
		r.Discard(int64(len(b)))
		r.Forget()
	}
}

// reset discards all buffered data after the source has moved.
func (r *Reader) reset() {
	r.open, r.failed, r.lost = false, nil, false
	r.r, r.w, r.off = 0, 0, 0
	r.keep()
	r.marks = r.marks[:0]
}
