package vertical

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"slices"
	"unicode/utf8"

	"chaffinch/internal/swar"
)

// block is a piece of a file with the positions of its lines.
type block struct {
	content
	done chan struct{} // receives once the content is complete
}

// content is the content of a block.
type content struct {
	data    []byte
	first   bool     // begins with the first line of the file
	ends    []uint32 // after each line and its line feed
	marks   []uint8  // properties of each line
	columns []Column // of the plain tokens
	stops   []uint32 // lines that are neither plain tokens nor glueLine, and the number of lines
	glues   []uint32 // lines glueLine, and the number of lines
	err     error    // error after the lines; the last line has no line feed then
}

// blockBytes is the size of a block, unless a line is longer.
const blockBytes = 64 << 10

// cutter divides its input into blocks of whole lines.
type cutter struct {
	in    io.Reader
	max   int    // longer lines end the file
	rest  []byte // beginning of a line, for the next block
	begun bool
}

// emptyReads is the maximum number of consecutive empty reads.
const emptyReads = 100

// cut fills b with the lines of the next read, at least one. If there is none, b.err is set.
func (c *cutter) cut(b *block) {
	c.read(b)
	b.split(nil)
}

// read is cut without finding the lines.
func (c *cutter) read(b *block) {
	b.err, b.first, c.begun = nil, !c.begun, true
	b.data = append(b.data[:0], c.rest...)
	c.rest = c.rest[:0]
	end := 0 // of the last whole line
	for empty := 0; end == 0 && b.err == nil; {
		from := len(b.data)
		n := max(blockBytes-from, blockBytes/2) // not up to the capacity, which grows with the decoded fields
		b.data = slices.Grow(b.data, n)
		n, err := c.in.Read(b.data[from : from+n])
		b.data = b.data[:from+n]
		if b.err = err; n == 0 && err == nil {
			if empty++; empty == emptyReads {
				b.err = io.ErrNoProgress
			}
		}
		if i := bytes.LastIndexByte(b.data[from:], '\n'); i >= 0 {
			end = from + i + 1
		} else if len(b.data) > c.max {
			b.err = io.ErrShortBuffer
		}
	}
	if b.err == nil {
		c.rest, b.data = append(c.rest, b.data[end:]...), b.data[:end]
	}
}

// split finds the lines of b. If b has columns, it uses cfg and sorts the lines into plain tokens, glues and stops.
func (b *block) split(cfg *ReaderConfig) {
	data := b.data // fields appends to b.data
	ends, all := b.ends[:0], b.marks[:0]
	for from := 0; from < len(data); {
		n, marks := shortLine(data[from:])
		if n == 0 {
			n, marks = line(data[from:])
		}
		to := from + n
		switch {
		case len(b.columns) == 0:
		case marks&(damaged|odd|glue) == 0 && !(from == 0 && b.first) && b.fields(uint32(from), uint32(to-1), marks, cfg.Raw):
			marks |= plain
		case marks&glue != 0 && cfg.Doc != glueName:
			b.glues = append(b.glues, uint32(len(ends)))
		default:
			b.stops = append(b.stops, uint32(len(ends)))
		}
		ends, all = append(ends, uint32(to)), append(all, marks)
		from = to
	}
	b.ends, b.marks = ends, all
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

// line returns the length of the first line of b with its line feed, and its properties.
func line(b []byte) (n int, marks uint8) {
	if n = bytes.IndexByte(b, '\n') + 1; n == 0 {
		return len(b), marksOf(b) | odd
	}
	return n, marksOf(b[:n])
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
	plain   // a plain token; see [Reader.Tokens]
)

var byteMarks = func() (t [256]uint8) {
	t['\t'], t[' '], t['&'], t['\r'] = tab, blank, ampersand, odd
	for c := 0x80; c < len(t); c++ {
		t[c] = notASCII
	}
	return t
}()

// longLine is the length in bytes from which on not all properties of a line are determined.
const longLine = 40

// marksOf returns the properties of a line. For a long line it sets tab, blank, ampersand and notASCII.
func marksOf(b []byte) (found uint8) {
	if len(b) <= longLine {
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
