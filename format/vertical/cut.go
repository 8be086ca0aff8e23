package vertical

import (
	"bytes"
	"io"
	"unicode/utf8"

	"chaffinch/internal/panics"
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
	default:
		c.rest = b.data[from:]
	}
}

// lines finds the lines that end after from.
func (b *block) lines(from int) {
	start := 0
	for {
		i := bytes.IndexByte(b.data[from:], '\n')
		if i < 0 {
			return
		}
		from += i + 1
		b.add(start, from)
		start = from
	}
}

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
)

var byteMarks = func() (t [256]uint8) {
	t['\t'], t[' '], t['&'] = tab, blank, ampersand
	for c := 0x80; c < len(t); c++ {
		t[c] = notASCII
	}
	return t
}()

// marksOf returns the properties of a line. For a long line it sets all except damaged.
func marksOf(b []byte) (found uint8) {
	if len(b) <= 40 {
		for _, c := range b {
			found |= byteMarks[c]
		}
	} else {
		found = tab | blank | ampersand | notASCII
	}
	if found&notASCII != 0 && !utf8.Valid(b) {
		found |= damaged
	}
	return found
}

// ahead is the number of blocks read in advance.
const ahead = 6

// ReadAhead calls read with a reader of r. Another goroutine reads r and splits it into
// lines until read returns.
func ReadAhead(r io.Reader, cfg ReaderConfig, read func(*Reader) error) error {
	v := NewReader(nil, cfg)
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
