// Package packed reads files that may be compressed with gzip, zstd or lz4, member
// by member: it knows the place of every member (gzip) or frame, can go
// back to any place, stops at data that unpacks to too much, and finds the
// next readable member after damage. It writes gzip and zstd in members, and is
// the one place that knows packings by their names and suffixes.
package packed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"
)

// Kind is the outer form of a file.
type Kind uint8

// The kinds that are read, and those that are only recognised.
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

// KindOf tells by the first bytes of a file how it is packed.
func KindOf(head []byte) Kind {
	for k := Gzip; int(k) < len(kinds); k++ {
		if bytes.HasPrefix(head, []byte(kinds[k].magic)) {
			if k == Bzip2 && (len(head) < 10 || string(head[4:10]) != "1AY&SY") {
				continue // words may begin with "BZh"
			}
			return k
		}
	}
	if isSkippable(head) {
		return Zstd
	}
	return Plain
}

// ErrDense reports a member that unpacks to more than the limit.
var ErrDense = errors.New("unpacks to more than the limit")

// errFormat reports a packing that is recognised but not read.
var errFormat = errors.New("packed in a way that is not read")

// Damage is data that cannot be unpacked. [Reader.Resync] goes on behind it.
type Damage struct {
	Member int64 // offset of the member that is damaged
	At     int64 // offset up to which the file had been read
	Err    error
}

// Error says what is wrong; the place is left to the caller, who knows the file.
func (d *Damage) Error() string { return d.Err.Error() }

// Unwrap returns the cause.
func (d *Damage) Unwrap() error { return d.Err }

// Config holds the limits of a Reader.
type Config struct {
	// MaxRatio is the number of bytes that one packed byte may unpack to, once
	// GraceBytes of a member have been unpacked.
	MaxRatio   float64
	GraceBytes int64
	// Accept tells whether unpacked bytes may be the beginning of something;
	// it guards the search for the next member after damage. Without it, a
	// member is taken when it unpacks without an error.
	Accept func(head []byte) bool
	// Workers is how many members of a gzip file that can be sought are unpacked at
	// the same time, ahead of who reads; below 2 none is. What is read is the same.
	// Whoever sets it must close the Reader before the file.
	Workers int
}

// Default allows what deflate reaches on repeated text but stops bombs.
var Default = Config{MaxRatio: 300, GraceBytes: 16 << 20}

// Own is for files that this program has made itself: text may pack well.
var Own = Config{MaxRatio: 10_000, GraceBytes: 1 << 30}

// Pos is a place in the unpacked bytes that can be found again.
type Pos struct {
	// Member is the offset of the member that holds the byte; in a plain file
	// the offset of the byte itself. It is 0 in a file packed twice.
	Member int64
	// Skip counts the unpacked bytes from there.
	Skip int64
}

// end is the place behind damage that nothing readable follows.
var end = Pos{Skip: 1 << 62}

const (
	minBuffer = 64 << 10
	backtrack = 1 << 20 // bytes before damage where the next member is looked for
)

type mark struct{ at, member int64 } // unpacked offset where a member begins

// Reader reads the unpacked bytes. It is not safe for concurrent use, but
// [Reader.PackedOffset] is.
type Reader struct {
	cfg   Config
	kind  Kind
	src   *source
	outer *Reader // set for a file packed twice
	m     member
	open  bool // a member is being unpacked
	out   int64
	start int64

	buf    []byte
	r, w   int   // buf[r:w] is unpacked and not yet taken
	off    int64 // unpacked offset of buf[r], from the last seek
	marks  []mark
	failed error // holds once the buffer is empty
	lost   bool  // nothing readable follows
}

// NewReader returns a reader of the unpacked bytes of in. Two layers of packing
// are opened. If in is an [io.Seeker], Seek and Resync use it.
func NewReader(in io.Reader, cfg Config) (*Reader, error) {
	r, err := layer(newSource(in), cfg)
	if err != nil || r.kind == Plain {
		return r, err
	}
	head, _ := r.Peek(10)
	switch k := KindOf(head); k {
	case Plain:
		return r, nil
	case Gzip, Zstd, LZ4:
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
		return nil, unread(k)
	}
}

// onlyReader hides every method but Read.
type onlyReader struct{ io.Reader }

func unread(k Kind) error {
	return fmt.Errorf("%w: %s (gzip, zstd and lz4 are): unpack it first", errFormat, k)
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
	default:
		return nil, unread(r.kind)
	}
	r.buf = make([]byte, minBuffer)
	return r, nil
}

// Kind returns the outermost packing.
func (r *Reader) Kind() Kind {
	if r.outer != nil {
		return r.outer.Kind()
	}
	return r.kind
}

// PackedOffset returns the number of bytes of the file taken so far. It may be
// called from other goroutines.
func (r *Reader) PackedOffset() int64 {
	if r.outer != nil {
		return r.outer.PackedOffset()
	}
	return r.src.n.Load()
}

// Close frees what the unpacking needs, after which nothing can be read; it does not
// close the input.
func (r *Reader) Close() {
	r.m.close()
	r.src.stop()
	if r.outer != nil {
		r.outer.Close()
	}
}

// Offset returns the number of unpacked bytes taken since the last Seek.
func (r *Reader) Offset() int64 { return r.off }

// Pos returns the place of the next byte.
func (r *Reader) Pos() Pos { return r.PosAt(r.off) }

// PosAt returns the place of the byte at an unpacked offset (as Offset counts)
// that is not before the last call of Forget.
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

// At returns the offset in the file that p belongs to, for messages.
func (r *Reader) At(p Pos) int64 {
	if r.outer != nil {
		return r.outer.At(r.outer.Pos())
	}
	return p.Member
}

// Forget tells that places before the next byte are no longer asked for.
func (r *Reader) Forget() {
	i := sort.Search(len(r.marks), func(i int) bool { return r.marks[i].at > r.off }) - 1
	if i > 0 {
		r.marks = append(r.marks[:0], r.marks[i:]...)
	}
}

var errNoWayBack = errors.New("the input cannot go back: give it as a file")

// Seek goes to a place that Pos returned for the same file. An input that
// cannot seek is read up to that place, if it lies ahead.
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

// ahead passes n bytes on the way to p.
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

// seekAhead reads up to p, behind damage too.
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

// reset forgets all that was buffered; the source stands at a new place.
func (r *Reader) reset() {
	r.open, r.failed, r.lost = false, nil, false
	r.r, r.w, r.off = 0, 0, 0
	r.marks = r.marks[:0]
}
