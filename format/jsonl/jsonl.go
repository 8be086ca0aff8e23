// Package jsonl reads pages from JSON lines: one JSON object a line, of which
// one field holds the page as text or as HTML.
package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

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
	// MaxPageBytes bounds the page; what is beyond is cut.
	MaxPageBytes int
	// MaxLineBytes bounds the part of a line that is looked at; fields behind
	// it are not seen.
	MaxLineBytes int
}

// Default is what a Reader uses for fields that are zero.
var Default = Config{Field: "text", MaxPageBytes: 32 << 20, MaxLineBytes: 64 << 20}

// Error is one line that cannot be read, or not wholly.
type Error struct {
	Line   int64 // counted from 1
	Offset int64 // byte offset of the line, or of the member that holds its beginning
	Err    error
}

// Error names the line and what is wrong there.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d at byte %d: %v", e.Line, e.Offset, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Reader reads one page a line.
type Reader struct {
	cfg  Config
	in   *packed.Reader
	n    int64 // lines read
	line []byte
	f    fields
}

// NewReader returns a reader of the lines of in, which it unpacks.
func NewReader(in io.Reader, cfg Config) (*Reader, error) {
	p, err := packed.NewReader(in, packed.Default)
	if err != nil {
		return nil, err
	}
	return Read(p, cfg), nil
}

// Read is like [NewReader] for bytes that are unpacked already.
func Read(in *packed.Reader, cfg Config) *Reader {
	if cfg.Field == "" {
		cfg.Field = Default.Field
	}
	if cfg.MaxPageBytes <= 0 {
		cfg.MaxPageBytes = Default.MaxPageBytes
	}
	if cfg.MaxLineBytes <= 0 {
		cfg.MaxLineBytes = Default.MaxLineBytes
	}
	return &Reader{cfg: cfg, in: in}
}

// Pos returns where the next line begins.
func (r *Reader) Pos() (p packed.Pos, line int64) { return r.in.Pos(), r.n }

// Seek goes to a place that Pos returned.
func (r *Reader) Seek(p packed.Pos, line int64) error {
	r.n = line
	return r.in.Seek(p)
}

// Next returns the page of the next line that is not empty, io.EOF at the end.
// An [*Error] tells of a line that is no page or, together with a page, of one
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
		if len(bytes.TrimSpace(line)) == 0 && damage == nil {
			continue
		}
		p, err := r.parse(line, cut || damage != nil || !r.ended())
		if cut && damage == nil && errors.Is(err, jsonscan.ErrShort) { // the limit is no error
			err = nil
			if p == nil {
				p = &page.Page{ID: r.f.id, URL: r.f.url, Drop: page.TooLarge}
				p.Source.Record = strconv.FormatInt(r.n, 10)
			}
		}
		if damage != nil {
			err = fmt.Errorf("cannot be unpacked: %w", damage)
			r.in.Resync()
		}
		if err != nil {
			err = &Error{Line: r.n, Offset: offset, Err: err}
		}
		if p == nil {
			if err == nil {
				continue
			}
			return nil, err
		}
		p.Source.Offset = offset
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

// fields are the parts of a line that a page has.
type fields struct {
	page                              []byte
	has, whole                        bool
	id, url, title, lang, date, fetch string
	names                             []string
}

// parse reads the object in line. Where the line is known to be incomplete, a
// page that has begun is returned as far as it goes, with an error unless it
// was the limit that cut it.
func (r *Reader) parse(line []byte, short bool) (*page.Page, error) {
	f := &r.f
	*f = fields{names: f.names[:0]}
	err := r.object(line, f)
	if err != nil && !(short && errors.Is(err, jsonscan.ErrShort) && f.has) {
		return nil, err
	}
	if err == nil && !f.has {
		if slices.Contains(f.names, r.cfg.Field) {
			return nil, fmt.Errorf("the value of the field %q is no text in quotes", r.cfg.Field)
		}
		return nil, fmt.Errorf("no field %q with text: there are %s; name another one", r.cfg.Field, strings.Join(f.names, ", "))
	}
	p := &page.Page{
		ID: f.id, URL: f.url, MIME: "text/plain", HTTPCharset: "utf-8", Raw: f.page, Lang: f.lang,
		Source: page.Source{Record: strconv.FormatInt(r.n, 10)},
		Meta:   page.Metadata{Title: f.title, Lang: f.lang, Date: f.date, Fetched: f.fetch},
	}
	if r.cfg.HTML || strings.HasSuffix(strings.ToLower(r.cfg.Field), "html") {
		p.MIME = "text/html"
	}
	if !f.whole {
		p.Cut = page.TooLarge
	}
	if len(p.Raw) == 0 {
		p.Drop = page.Empty
	}
	return p, err
}

// object walks over the object and takes the fields that are known.
func (r *Reader) object(line []byte, f *fields) error {
	s := &jsonscan.Scanner{B: line}
	if !s.Take('{') {
		return s.Bad("a JSON object")
	}
	if s.Take('}') {
		return r.trailing(s)
	}
	for {
		k, err := s.Str()
		if err != nil {
			return err
		}
		key, _, err := jsonscan.Unquote(nil, k, 256)
		if err != nil {
			return err
		}
		if !s.Take(':') {
			return s.Bad("a colon")
		}
		if len(f.names) < 12 {
			f.names = append(f.names, string(key))
		}
		if err := r.value(s, string(key), f); err != nil {
			return err
		}
		if s.Take(',') {
			continue
		}
		if s.Take('}') {
			return r.trailing(s)
		}
		return s.Bad("a comma or the end of the object")
	}
}

func (r *Reader) trailing(s *jsonscan.Scanner) error {
	if s.Space(); s.I < len(s.B) {
		return s.Bad("the end of the line")
	}
	return nil
}

// value takes or passes the value of key.
func (r *Reader) value(s *jsonscan.Scanner, key string, f *fields) error {
	s.Space()
	isText := s.I < len(s.B) && s.B[s.I] == '"'
	if key == r.cfg.Field && isText {
		raw, err := s.Str()
		if err != nil && !errors.Is(err, jsonscan.ErrShort) {
			return err
		}
		var uerr error
		f.page, f.whole, uerr = jsonscan.Unquote(make([]byte, 0, min(len(raw), r.cfg.MaxPageBytes)), raw, r.cfg.MaxPageBytes)
		f.has = true
		if uerr != nil {
			return uerr
		}
		return err
	}
	dst := f.place(key)
	start := s.I
	if dst == nil || !isText {
		err := s.Skip()
		if err == nil && dst != nil && key == "id" && jsonscan.IsNumber(s.B[start:s.I]) {
			*dst = string(s.B[start:s.I])
		}
		return err
	}
	raw, err := s.Str()
	if err != nil {
		return err
	}
	v, _, err := jsonscan.Unquote(nil, raw, maxField)
	*dst = string(v)
	return err
}

// maxField bounds the bytes of the small fields.
const maxField = 64 << 10

// place returns where the value of a known field goes, nil for others.
func (f *fields) place(key string) *string {
	switch key {
	case "id":
		return &f.id
	case "url", "uri":
		return &f.url
	case "title":
		return &f.title
	case "lang", "language":
		return &f.lang
	case "date":
		return &f.date
	case "fetched", "timestamp":
		return &f.fetch
	}
	return nil
}
