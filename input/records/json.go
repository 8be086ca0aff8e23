package records

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/jsonscan"
)

// jsonForm reads JSON lines: a text in one field, or typed blocks.
type jsonForm struct {
	r    *Reader
	l    *lines
	s    jsonscan.Scanner
	k    known
	has  bool // the text field or blocks were present
	odd  bool // the text field was present, but is not a string
	drop bool // the cleaner dropped the page
	// begin is the start of the text of the current block in Doc.text.
	begin int
	// names are the first fields of a line without text, for the message.
	names []string
}

func (f *jsonForm) next(d *Doc) (bool, error) {
	for {
		f.l.in.Forget()
		f.l.in.Buffered() // opens the member that contains the line
		at := f.l.in.At(f.l.in.Pos())
		raw, err := f.l.next(d.Raw[:0])
		if err != nil {
			return false, err
		}
		d.Raw = raw
		if f.l.damage != nil {
			f.r.outside(raw)
			f.r.damaged()
			continue
		}
		if len(raw) > f.l.max {
			line := f.l.n
			if f.l.long { // not counted yet
				line++
			}
			f.r.tooLong(line, at, "is a line end missing?")
			if err := f.r.pass(d); err != nil {
				return false, err
			}
			continue
		}
		if len(raw) == 0 {
			return false, nil
		}
		if isBlank(raw) {
			f.r.outside(raw)
			continue
		}
		if err := f.parse(d); err != nil {
			f.r.wrong(f.l.n, at, err)
			f.r.outside(raw)
			d.reset()
			continue
		}
		d.Source.Offset = at
		d.set(&f.k, f.l.n, f.r.files.Current().Name)
		return true, nil
	}
}

// parse parses the object in d.Raw.
func (f *jsonForm) parse(d *Doc) error {
	f.s = jsonscan.Scanner{B: d.Raw}
	f.k, f.has, f.odd, f.drop, f.names = known{}, false, false, false, f.names[:0]
	s := &f.s
	if !s.Take('{') {
		return s.Bad("a JSON object")
	}
	d.place.head = s.I
	text := false
	for more := !s.Take('}'); more; {
		k, err := s.Str()
		if err != nil {
			return err
		}
		if !s.Take(':') {
			return s.Bad("a colon")
		}
		s.Space()
		if err := f.field(d, k, &text); err != nil {
			return err
		}
		d.place.head = s.I
		if more = s.Take(','); !more && !s.Take('}') {
			return s.Bad("a comma or the end of the object")
		}
	}
	if s.Space(); s.I < len(s.B) {
		return s.Bad("the end of the line")
	}
	if !f.has {
		return f.missing()
	}
	if f.drop {
		d.Paras, d.place.end = d.Paras[:0], d.place.text
	}
	if bytes.IndexByte(d.text, '\r') >= 0 { // a raw \r in the string, which JSON does not allow
		for i := range d.Paras {
			d.Paras[i].Text = bytes.ReplaceAll(d.Paras[i].Text, []byte{'\r'}, []byte{' '})
		}
	}
	if !utf8.Valid(d.text) {
		for i := range d.Paras {
			d.Paras[i].Text = bytes.ToValidUTF8(d.Paras[i].Text, []byte("\ufffd"))
		}
	}
	return nil
}

// missing returns the error for a line without text, with the fields that it has.
func (f *jsonForm) missing() error {
	if f.odd {
		return fmt.Errorf("field %q is not a string, and there are no blocks: name the text field", f.r.cfg.TextField)
	}
	s := jsonscan.Scanner{B: f.s.B}
	s.Take('{')
	for len(f.names) < 12 {
		k, err := s.Str()
		if err != nil || !s.Take(':') || s.Skip() != nil {
			break
		}
		f.names = append(f.names, string(k))
		if !s.Take(',') {
			break
		}
	}
	return fmt.Errorf("no field %q with text and no blocks: found %s: %w", f.r.cfg.TextField, strings.Join(f.names, ", "), ErrNoText)
}

// field reads the value of key k at the current position.
func (f *jsonForm) field(d *Doc, k []byte, text *bool) error {
	s := &f.s
	c := byte(0)
	if s.I < len(s.B) {
		c = s.B[s.I]
	}
	if string(k) == f.r.cfg.TextField {
		if c == '"' {
			v, err := s.Str()
			if err != nil {
				return err
			}
			f.has, *text = true, true
			d.Paras, d.text = d.Paras[:0], d.text[:0] // of blocks, or of an earlier field with the same name
			d.place.elements = false
			return d.paragraphs(s.I-1-len(v), s.I-1)
		}
		if bytes.HasPrefix(s.B[s.I:], []byte("null")) {
			f.has, *text = true, true
			return s.Skip()
		}
		f.odd = true
		return s.Skip()
	}
	switch string(k) {
	case "blocks":
		if c == '[' && !*text {
			f.has = true
			return f.blocks(d)
		}
	case "drop":
		if c == '"' {
			v, err := s.Str()
			f.drop = len(v) > 0
			return err
		}
	case "meta", "metadata", "warc_headers":
		if c == '{' {
			return f.nested(d)
		}
	default:
		if dst := f.place(k); dst != nil {
			return f.take(d, dst, c, string(k) == "id")
		}
	}
	return s.Skip()
}

// nested reads the known fields of a nested object about the document. Fields outside the
// object take precedence.
func (f *jsonForm) nested(d *Doc) error {
	s := &f.s
	s.Take('{')
	if s.Take('}') {
		return nil
	}
	for {
		k, err := s.Str()
		if err != nil {
			return err
		}
		if !s.Take(':') {
			return s.Bad("a colon")
		}
		if s.Space(); s.I == len(s.B) {
			return jsonscan.ErrShort
		}
		if dst := f.place(k); dst != nil && dst != &f.k.id && *dst == (span{}) {
			err = f.take(d, dst, s.B[s.I], false)
		} else {
			err = s.Skip()
		}
		if err != nil {
			return err
		}
		if s.Take('}') {
			return nil
		}
		if !s.Take(',') {
			return s.Bad("a comma or the end of the object")
		}
	}
}

// place returns where the value of a field is stored, nil for other fields.
func (f *jsonForm) place(k []byte) *span {
	switch string(k) {
	case "id":
		return &f.k.id
	case "url", "uri", "warc-target-uri", "WARC-Target-URI":
		return &f.k.url
	case "lang", "language":
		return &f.k.lang
	case "license":
		return &f.k.license
	case "optout":
		return &f.k.optout
	case "translated":
		return &f.k.translated
	case "page_type":
		return &f.k.pageType
	case "date":
		return &f.k.date
	case "fetched", "timestamp", "crawl_date", "warc_date", "warc-date", "WARC-Date", "date_download":
		return &f.k.crawled
	}
	return nil
}

// maxField is the maximum size of the small fields in bytes.
const maxField = 64 << 10

// take reads a string into dst; for an id also a number.
func (f *jsonForm) take(d *Doc, dst *span, c byte, number bool) error {
	s := &f.s
	begin := len(d.meta)
	switch {
	case c == '"':
		v, err := s.Str()
		if err != nil {
			return err
		}
		if d.meta, _, err = jsonscan.Unquote(d.meta, v, maxField); err != nil {
			return err
		}
	case number && (c == '-' || '0' <= c && c <= '9'):
		at := s.I
		if err := s.Skip(); err != nil {
			return err
		}
		d.meta = append(d.meta, s.B[at:s.I]...)
	default:
		return s.Skip()
	}
	if len(d.meta) > begin {
		*dst = span{begin, len(d.meta)}
	}
	return nil
}
