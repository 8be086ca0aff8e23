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

// Config configures the fields to read.
type Config struct {
	// Field is the field that holds the page. Default: "text".
	Field string
	// HTML indicates that the page is HTML. A field whose name ends in "html" always holds
	// HTML; other fields hold text.
	HTML bool
	// FindHTML reads the page of a line without text in Field from the first of [HTMLFields]
	// that holds a string. The field "content" is used only if it begins like HTML.
	FindHTML bool
	// OnHTML, if not nil, is called with the name of that field when it is first found and
	// when it changes.
	OnHTML func(field string)
	// MaxPageBytes bounds the page. Longer pages are truncated. Default: 32 MiB.
	MaxPageBytes int
	// Kept indicates that the text is already clean. Pages are read with the blocks of the
	// line (docs/reference/formats/json.md), or else with a block for each line of text. All blocks
	// are kept.
	Kept bool
	// MaxLineBytes bounds the part of a line that is read. Fields after it are ignored.
	// Default: 64 MiB.
	MaxLineBytes int
}

// Default holds the defaults of a Reader for zero fields.
var Default = Config{Field: "text", MaxPageBytes: 32 << 20, MaxLineBytes: 64 << 20}

// Reader reads one page per line.
type Reader struct {
	cfg  Config
	in   *packed.Reader
	n    int64 // lines read
	line []byte
	p    *Parser
	// array indicates that the lines are the elements of one JSON array.
	array bool
}

// NewReader returns a reader of the lines of in and decompresses it.
func NewReader(in io.Reader, cfg Config) (*Reader, error) {
	u, ok := in.(*packed.Reader) // already opened to detect the format
	if !ok {
		var err error
		if u, err = packed.NewReader(in, packed.Default); err != nil {
			return nil, err
		}
	}
	p := NewParser(cfg)
	return &Reader{cfg: p.cfg, in: u, p: p}, nil
}

// Pos is the position of a line.
type Pos struct {
	// Member is the file offset of the compressed member that contains the line. In an
	// uncompressed file it is the offset of the line. Skip is the number of decompressed
	// bytes from there.
	Member, Skip int64
	// Lines is the number of lines before it.
	Lines int64
}

// Pos returns the position of the next line.
func (r *Reader) Pos() Pos {
	p := r.in.Pos()
	return Pos{p.Member, p.Skip, r.n}
}

// Seek seeks to a position returned by Pos.
func (r *Reader) Seek(p Pos) error {
	r.n = p.Lines
	return r.in.Seek(packed.Pos{Member: p.Member, Skip: p.Skip})
}

// All ranges over the pages as [Reader.Next] returns them. It continues after a
// [*page.Error] and ends at any other error.
func (r *Reader) All() iter.Seq2[*page.Page, error] { return readers.All(r.Next, isBadPiece) }

// Next returns the page of the next non-empty line, or io.EOF at the end. A [*page.Error]
// reports a line that is not a page or, together with a page, an incomplete line. The page
// is owned by the caller.
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
		if cut && damage == nil && errors.Is(err, jsonscan.ErrShort) { // the limit is not an error
			err = nil
			if p == nil {
				p = &page.Page{ID: r.p.f.id, URL: r.p.f.url, Drop: page.TooLarge}
			}
		}
		known := r.cfg.Kept && p != nil && p.Source.File != "" // the text has a known source
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

// element returns the object in a line, or nothing for an empty line. Elements of an array
// may be separated by commas; its brackets are on separate lines.
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

// readLine reads a line into r.line. If the line exceeds the limit, the rest is skipped and
// cut is true. The last line may be returned with io.EOF.
func (r *Reader) readLine() (cut bool, err error) {
	if cap(r.line) > 1<<20 {
		r.line = nil // release the buffer of a large line
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

// isBadPiece reports whether reading continues after err.
func isBadPiece(err error) bool {
	var bad *page.Error
	return errors.As(err, &bad)
}
