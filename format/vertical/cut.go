package vertical

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"unicode/utf8"

	"chaffinch/internal/panics"
	"chaffinch/internal/swar"
)

// block is a piece of a file with the positions of its lines.
type block struct {
	data  []byte
	ends  []uint32 // after each line and its line feed
	marks []uint8  // properties of each line
	err   error    // error after the lines; the last line has no line feed then
}

// blockBytes is the size of a block, unless a line is longer.
const blockBytes = 64 << 10

// cutter splits its input into blocks of whole lines.
type cutter struct {
	in   io.Reader
	max  int    // longer lines end the file
	rest []byte // beginning of a line, for the next block
}

// emptyReads is the maximum number of consecutive empty reads.
const emptyReads = 100

// cut fills b with the lines of the next read, at least one. If there is none, b.err is set.
func (c *cutter) cut(b *block) {
	b.ends, b.marks, b.err = b.ends[:0], b.marks[:0], nil
	b.data = append(b.data[:0], c.rest...)
	c.rest = nil
	for from, empty := len(b.data), 0; len(b.ends) == 0 && b.err == nil; {
		if cap(b.data)-len(b.data) < blockBytes/2 {
			b.data = append(make([]byte, 0, max(blockBytes, 2*cap(b.data))), b.data...)
		}
		n, err := c.in.Read(b.data[len(b.data):cap(b.data)])
		b.data = b.data[:len(b.data)+n]
		if b.err = err; n == 0 && err == nil {
			if empty++; empty == emptyReads {
				b.err = io.ErrNoProgress
			}
		}
		b.lines(from)
		if from = len(b.data); len(b.ends) == 0 && len(b.data) > c.max {
			b.err = io.ErrShortBuffer
		}
	}
	from := 0
	if n := len(b.ends); n > 0 {
		from = int(b.ends[n-1])
	}
	switch {
	case from == len(b.data):
	case b.err != nil:
		b.add(from, len(b.data))
		b.marks[len(b.marks)-1] |= odd
	default:
		c.rest = b.data[from:]
	}
}

// lines finds the lines that end after from.
func (b *block) lines(from int) {
	start := 0
	for {
		if start == from {
			if n, glue := shortLine(b.data[from:]); n > 0 {
				from += n
				b.ends, b.marks = append(b.ends, uint32(from)), append(b.marks, glue)
				start = from
				continue
			}
		}
		i := bytes.IndexByte(b.data[from:], '\n')
		if i < 0 {
			return
		}
		from += i + 1
		b.add(start, from)
		start = from
	}
}

// shortLine returns the length of the first line of b with its line feed, and its properties, if it
// is an ASCII word of at most seven bytes or <g/>. Otherwise the length is 0.
func shortLine(b []byte) (n int, marks uint8) {
	if len(b) < 8 {
		return 0, 0
	}
	x := binary.LittleEndian.Uint64(b)
	feed := swar.Find(x, '\n')
	if feed == 0 {
		return 0, 0
	}
	// Top bits of bytes up to the blank or outside ASCII, and of ampersands.
	special := (x-0x21*swar.Ones|x)&swar.Tops | swar.Find(x, '&')
	if special&(feed&-feed-1) != 0 {
		return 0, 0
	}
	n = bits.TrailingZeros64(feed)/8 + 1
	if b[0] == '<' {
		if n == len(glueLine) && string(b[:n]) == glueLine {
			return n, glue
		}
		return 0, 0
	}
	if n == 1 {
		return 0, 0
	}
	return n, 0
}

// glueLine is a line that marks a missing blank.
const glueLine = "<g/>\n"

// add appends the line from start to end.
func (b *block) add(start, end int) {
	b.ends = append(b.ends, uint32(end))
	b.marks = append(b.marks, marksOf(b.data[start:end]))
}

// Properties of a line.
const (
	tab = 1 << iota
	blank
	ampersand
	notASCII
	damaged // not UTF-8
	odd     // empty, perhaps a tag, with a carriage return, or without a line feed
	glue    // glueLine
)

// wordMarks are the properties that a line from Words may have.
const wordMarks = notASCII | glue

var byteMarks = func() (t [256]uint8) {
	t['\t'], t[' '], t['&'], t['\r'] = tab, blank, ampersand, odd
	for c := 0x80; c < len(t); c++ {
		t[c] = notASCII
	}
	return t
}()

// WordLine is the maximum length in bytes of a line that [Reader.Words] returns.
const WordLine = 40

// marksOf returns the properties of a line. For a long line it sets all except damaged.
func marksOf(b []byte) (found uint8) {
	if len(b) <= WordLine {
		for _, c := range b {
			found |= byteMarks[c]
		}
	} else {
		found = tab | blank | ampersand | notASCII
	}
	if found&notASCII != 0 && !utf8.Valid(b) {
		found |= damaged
	}
	if b[0] == '<' || b[0] == '\n' {
		found |= odd
	}
	return found
}

// ahead is the number of blocks read in advance.
const ahead = 6

// ReadAhead calls read with a reader of r. Another goroutine reads r and splits it into
// lines until read returns. Lines must not be changed.
func ReadAhead(r io.Reader, cfg ReaderConfig, read func(*Reader) error) error {
	v := NewReader(nil, cfg)
	v.known = &knownTags{tags: map[string]*tag{}}
	cut, free := make(chan *block, ahead+1), make(chan *block, ahead+1)
	for range ahead {
		free <- new(block)
	}
	go func() {
		defer close(cut)
		c := &cutter{in: r, max: v.cfg.MaxLine}
		for b := range free {
			if err := panics.Catch(func() error { c.cut(b); return nil }); err != nil {
				*b = block{err: err}
			}
			ended := b.err != nil
			if cut <- b; ended {
				return
			}
		}
	}()
	v.fill = func() {
		free <- v.block
		v.block = <-cut
	}
	err := panics.Catch(func() error { return read(v) })
	close(free)
	for range cut { // until r is no longer read
	}
	return err
}
