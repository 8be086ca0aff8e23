package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"chaffinch/internal/readers"

	"chaffinch/internal/jsonscan"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// Config says which fields are read.
type Config struct {
	// Field is the field that holds the page.
	Field string
	// HTML tells that the page is HTML. A field whose name ends in "html" holds
	// HTML anyway; what another holds is text.
	HTML bool
	// FindHTML takes the page of a line that has no text in Field from the first of
	// [HTMLFields] that holds a string; from "content" only if it begins as HTML does.
	FindHTML bool
	// OnHTML is called with the name of that field when it is the first or another
	// one; nil is not called.
	OnHTML func(field string)
	// MaxPageBytes bounds the page; what is beyond is cut.
	MaxPageBytes int
	// Kept tells that the text was cleaned already: pages come with their blocks,
	// as far as the line has them (docs/formats/json.md), else with a block for each
	// line of the text, all of them kept.
	Kept bool
	// MaxLineBytes bounds the part of a line that is looked at; fields behind
	// it are not seen.
	MaxLineBytes int
}

// Default is what a Reader uses for fields that are zero.
var Default = Config{Field: "text", MaxPageBytes: 32 << 20, MaxLineBytes: 64 << 20}

// Reader reads one page per line.
type Reader struct {
	cfg  Config
	in   *packed.Reader
	n    int64 // lines read
	line []byte
	p    *Parser
	// array tells that the lines are the elements of one JSON array.
	array bool
}

// NewReader returns a reader of the lines of in, which it unpacks.
func NewReader(in io.Reader, cfg Config) (*Reader, error) {
	u, ok := in.(*packed.Reader) // of a reader that looked into the file
	if !ok {
		var err error
		if u, err = packed.NewReader(in, packed.Default); err != nil {
			return nil, err
		}
	}
	p := NewParser(cfg)
	return &Reader{cfg: p.cfg, in: u, p: p}, nil
}

// Pos is where a line begins.
type Pos struct {
	// Member is the offset in the file of the packed member that holds the line,
	// of a file that is not packed that of the line itself; Skip counts the
	// unpacked bytes from there.
	Member, Skip int64
	// Lines is the number of lines before it.
	Lines int64
}

// Pos returns where the next line begins.
func (r *Reader) Pos() Pos {
	p := r.in.Pos()
	return Pos{p.Member, p.Skip, r.n}
}

// Seek goes to a place that Pos returned.
func (r *Reader) Seek(p Pos) error {
	r.n = p.Lines
	return r.in.Seek(packed.Pos{Member: p.Member, Skip: p.Skip})
}

// All ranges over the pages as [Reader.Next] returns them. An [*page.Error] ends
// nothing, any other error does.
func (r *Reader) All() iter.Seq2[*page.Page, error] { return readers.All(r.Next, isBadPiece) }

// Next returns the page of the next line that is not empty, io.EOF at the end.
// An [*page.Error] tells of a line that is no page or, together with a page, of one
// that is not whole. The page belongs to the caller.
func (r *Reader) Next() (*page.Page, error) {
	for {
		r.in.Forget()
		r.in.Buffered() // opens the member that holds the line
		at := r.in.Pos()
		offset := r.in.At(at)
		cut, err := r.readLine()
		if err == io.EOF && len(r.line) == 0 {
			return nil, io.EOF
		}
		r.n++
		damage := err
		if err == io.EOF {
			damage = nil
		}
		line := bytes.TrimPrefix(r.line, []byte("\xef\xbb\xbf"))
		if damage == nil {
			if line = r.element(line); len(line) == 0 {
				continue
			}
		}
		p, err := r.p.Parse(line, cut || damage != nil || !r.ended())
		if cut && damage == nil && errors.Is(err, jsonscan.ErrShort) { // the limit is no error
			err = nil
			if p == nil {
				p = &page.Page{ID: r.p.f.id, URL: r.p.f.url, Drop: page.TooLarge}
			}
		}
		known := r.cfg.Kept && p != nil && p.Source.File != "" // where the text was taken from
		if p != nil && !known {
			p.Source.Record = strconv.FormatInt(r.n, 10)
		}
		if damage != nil {
			err = fmt.Errorf("cannot be unpacked: %w", damage)
			r.in.Resync()
		}
		if err != nil {
			err = &page.Error{Line: r.n, Offset: offset, Err: err}
		}
		if p == nil {
			if err == nil {
				continue
			}
			return nil, err
		}
		if !known {
			p.Source.Offset = offset
		}
		if p.Drop != page.None && p.Drop != page.Empty {
			return p, err
		}
		if cut {
			p.Cut = page.TooLarge
		} else if err != nil {
			p.Cut = page.Truncated
		}
		return p, err
	}
}

// element returns the object in a line, nothing for an empty line. The elements
// of an array may be parted by commas; its brackets have lines of their own.
func (r *Reader) element(line []byte) []byte {
	t := bytes.TrimSpace(line)
	if len(t) == 1 && (t[0] == '[' && r.n == 1 || t[0] == ']') {
		r.array = true
		return nil
	}
	if len(t) > 0 && t[len(t)-1] == ',' && (r.array || t[0] == '{') {
		return t[:len(t)-1]
	}
	if len(t) == 0 {
		return nil
	}
	return line
}

// ended reports whether the line ends in a line break.
func (r *Reader) ended() bool { return len(r.line) > 0 && r.line[len(r.line)-1] == '\n' }

// readLine reads a line into r.line; what is beyond the limit is passed, and
// cut is true. The last line may come with io.EOF.
func (r *Reader) readLine() (cut bool, err error) {
	if cap(r.line) > 1<<20 {
		r.line = nil // of one large line
	}
	r.line = r.line[:0]
	for {
		b, err := r.in.Buffered()
		if err != nil {
			return cut, err
		}
		n := bytes.IndexByte(b, '\n') + 1
		end := n > 0
		if !end {
			n = len(b)
		}
		room := r.cfg.MaxLineBytes - len(r.line)
		if n > room {
			cut = true
		}
		r.line = append(r.line, b[:min(n, room)]...)
		r.in.Discard(int64(n))
		if end {
			return cut, nil
		}
	}
}

// isBadPiece reports whether reading goes on behind err.
func isBadPiece(err error) bool {
	var bad *page.Error
	return errors.As(err, &bad)
}
