package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"chaffinch/format/tree"
	"chaffinch/internal/jsonscan"
	"chaffinch/page"
)

// Bounds of the data of a line besides its text: the bytes of a known field, and the number
// and the bytes of other fields.
const (
	maxField     = 64 << 10
	maxOwn       = 1000
	maxOwnBytes  = 4 << 20
	maxListItems = 10_000
)

// Parser parses pages from JSON objects. It is not safe for concurrent use.
type Parser struct {
	cfg   Config
	found string // last of HTMLFields that held a page
	f     fields
	nodes []tree.Node // for reuse
}

// NewParser returns a Parser. Zero fields of cfg select the values of [Default].
func NewParser(cfg Config) *Parser {
	if cfg.Field == "" {
		cfg.Field = Default.Field
	}
	if cfg.MaxPageBytes <= 0 {
		cfg.MaxPageBytes = Default.MaxPageBytes
	}
	if cfg.MaxLineBytes <= 0 {
		cfg.MaxLineBytes = Default.MaxLineBytes
	}
	return &Parser{cfg: cfg}
}

// fields holds the parsed fields of a line.
type fields struct {
	page                []byte
	has, whole          bool
	null                bool // the text field is null
	id, url, lang, drop string
	declared            string
	ours                bool // the line has counts and a source, like lines of the encoder
	meta                page.Metadata
	source              page.Source
	mime, charset       string
	langConfidence      float64
	langs               []page.LangShare
	estimate            page.Page  // its Confidence, ConfidencePolicy, Type, TypeConfidence and Registers
	estimated           []rawField // fields of the estimate, in JSON
	blocks              []byte     // raw array of blocks
	own                 []page.Field
	markup              []markup // of fields that may hold the page
	ownBytes            int
	names               []string
}

// rawField is a field with its value as JSON.
type rawField struct {
	name  string
	value []byte
}

// Parse parses a page from the object in line. If short is set, the line is known to be
// incomplete. The page is then returned as far as it was read, with an error unless it was
// truncated at the limit.
func (r *Parser) Parse(line []byte, short bool) (*page.Page, error) {
	f := &r.f
	*f = fields{names: f.names[:0], markup: f.markup[:0], estimated: f.estimated[:0]}
	err := r.object(line, f)
	html, e := r.markup(f)
	if e != nil && err == nil {
		err = e
	}
	if err != nil && !(short && errors.Is(err, jsonscan.ErrShort) && f.has) {
		return nil, err
	}
	for _, x := range f.estimated {
		if e := f.takeEstimate(x); e != nil && err == nil {
			err = e
		}
	}
	kept := r.cfg.Kept && f.blocks != nil
	if err == nil && !f.has && !f.null && !kept {
		if f.blocks != nil {
			return nil, fmt.Errorf("no field %q with text but blocks, as the format json has: they are clean, chaffinch convert reads them", r.cfg.Field)
		}
		if slices.Contains(f.names, r.cfg.Field) {
			return nil, fmt.Errorf("the value of the field %q is not a string", r.cfg.Field)
		}
		return nil, fmt.Errorf("no field %q with text: found %s: name the text field", r.cfg.Field, strings.Join(f.names, ", "))
	}
	p := &page.Page{
		ID: f.id, URL: f.url, MIME: "text/plain", HTTPCharset: "utf-8", Raw: f.page, Lang: f.lang, Meta: f.meta, Fields: f.own,
	}
	if p.Meta.Lang = f.declared; f.declared == "" && !f.ours {
		p.Meta.Lang = f.lang
	}
	if html || r.cfg.HTML || strings.HasSuffix(strings.ToLower(r.cfg.Field), "html") {
		p.MIME = "text/html"
	}
	if f.has && !f.whole {
		p.Cut = page.TooLarge
	}
	if r.cfg.Kept {
		return r.keep(p, err)
	}
	if len(p.Raw) == 0 {
		p.Drop = page.Empty
	}
	return p, err
}

// object reads the known fields of the object.
func (r *Parser) object(line []byte, f *fields) error {
	s := &jsonscan.Scanner{B: line}
	if s.Space(); s.I == len(line) || line[s.I] != '{' {
		if t := *s; t.Take('[') && t.Take('{') {
			return errors.New("a JSON array, wanted a JSON object on each line, as jq -c '.[]' writes")
		}
		return s.Bad("a JSON object")
	}
	err := s.Object(func(k []byte) error {
		key, _, err := jsonscan.Unquote(nil, k, 256)
		if err != nil {
			return err
		}
		if len(f.names) < 12 {
			f.names = append(f.names, string(key))
		}
		return r.value(s, string(key), f)
	})
	if err != nil {
		return err
	}
	return trailing(s)
}

func trailing(s *jsonscan.Scanner) error {
	if s.Space(); s.I < len(s.B) {
		return s.Bad("the end of the line")
	}
	return nil
}

// value reads the value of key.
func (r *Parser) value(s *jsonscan.Scanner, key string, f *fields) error {
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
	start := s.I
	if key == r.cfg.Field {
		f.null = bytes.HasPrefix(s.B[start:], []byte("null"))
	}
	if r.cfg.FindHTML && isText && !f.has && slices.Contains(HTMLFields, key) {
		raw, err := s.Str()
		if err == nil || errors.Is(err, jsonscan.ErrShort) {
			f.own = append(f.own, page.Field{Name: key})
			f.markup = append(f.markup, markup{key, raw, s.B[start:s.I], err != nil})
		}
		return err
	}
	if dst := f.text(key); dst != nil && isText {
		raw, err := s.Str()
		if err != nil {
			return err
		}
		v, whole, err := jsonscan.Unquote(nil, raw, maxField)
		if err == nil && !whole {
			return f.pass(key, s.B[start:s.I])
		}
		*dst = string(v)
		return err
	}
	if err := s.Skip(); err != nil {
		return err
	}
	return f.take(key, s.B[start:s.I])
}

// text returns the destination of a string field, or nil for other fields.
func (f *fields) text(key string) *string {
	switch key {
	case "id":
		return &f.id
	case "url", "uri":
		return &f.url
	case "title":
		return &f.meta.Title
	case "lang", "language":
		return &f.lang
	case "declared_lang":
		return &f.declared
	case "date":
		return &f.meta.Date
	case "modified":
		return &f.meta.Modified
	case "fetched", "timestamp":
		return &f.meta.Fetched
	case "canonical":
		return &f.meta.Canonical
	case "site":
		return &f.meta.Site
	case "description":
		return &f.meta.Description
	case "license":
		return &f.meta.License
	case "optout":
		return &f.meta.Optout
	case "translated":
		return &f.meta.Translated
	case "image":
		return &f.meta.Image
	case "type":
		return &f.meta.Type
	case "mime":
		return &f.mime
	case "charset":
		return &f.charset
	case "drop":
		return &f.drop
	case "cut", "drop_rule":
		return new(string) // of the earlier reading
	}
	return nil
}

// take reads a value that is not a string, or the value of an unknown field.
func (f *fields) take(key string, v []byte) error {
	c := v[0]
	switch {
	case key == "id" && jsonscan.IsNumber(v):
		f.id = string(v)
		return nil
	case key == "lang_confidence" && json.Unmarshal(v, &f.langConfidence) == nil:
		return nil
	case (key == "confidence" || key == "page_type_confidence") && jsonscan.IsNumber(v), (key == "page_type" || key == "confidence_policy") && c == '"', key == "register" && c == '[':
		f.estimated = append(f.estimated, rawField{key, v})
		return nil
	case c == '[' && key == "langs" && json.Unmarshal(v, &f.langs) == nil && len(f.langs) > 0 && f.langs[0].Lang != "":
		return nil
	case c == '[' && key == "blocks" && bytes.Contains(v[:min(len(v), 200)], []byte(`"kind":`)):
		f.blocks = v
		return nil
	case c == '[' && key == "blocks" && len(bytes.TrimSpace(v[1:len(v)-1])) == 0:
		f.blocks = v
		return nil
	case c == '[' && key == "notes" && bytes.Contains(v[:min(len(v), 200)], []byte(`"by":`)): // measured again
		return nil
	case c == '{' && key == "source" && bytes.Contains(v, []byte(`"offset":`)) && json.Unmarshal(v, &f.source) == nil:
		return nil
	case c == '{' && key == "counts" && bytes.Contains(v, []byte(`"words_kept":`)):
		f.ours = true
		return nil
	case c == '{' && key == shadowed:
		return f.unshadow(v)
	case c == '[' && (key == "authors" || key == "categories" || key == "tags"):
		var list []string
		if json.Unmarshal(v, &list) == nil && len(list) <= maxListItems {
			switch key {
			case "authors":
				f.meta.Authors = list
			case "categories":
				f.meta.Categories = list
			case "tags":
				f.meta.Tags = list
			}
			return nil
		}
	}
	return f.pass(key, v)
}

// takeEstimate reads a field of the estimate of the page. It is the page's estimate if clean
// wrote the line, and otherwise an input field.
func (f *fields) takeEstimate(x rawField) error {
	value := strings.Trim(string(x.value), `"`)
	var list []string
	if x.value[0] == '[' && json.Unmarshal(x.value, &list) == nil {
		value = strings.Join(list, tree.RegisterSeparator)
	}
	if f.ours && tree.SetEstimate(&f.estimate, x.name, value) {
		return nil
	}
	return f.pass(x.name, x.value)
}

// ParseFields parses the fields of a JSON object written by [AppendFields].
func ParseFields(b []byte) ([]page.Field, error) {
	if b = bytes.TrimSpace(b); len(b) == 0 || b[0] != '{' || !json.Valid(b) {
		return nil, errors.New("no JSON object")
	}
	var f fields
	err := f.unshadow(b)
	return f.own, err
}

// unshadow reads the input fields whose names the encoder uses.
func (f *fields) unshadow(v []byte) error {
	s := &jsonscan.Scanner{B: v}
	return s.Object(func(k []byte) error {
		key, _, err := jsonscan.Unquote(nil, k, 256)
		if err != nil {
			return err
		}
		value, err := s.Value()
		if err != nil {
			return err
		}
		return f.pass(string(key), value)
	})
}

// pass stores a value that all stages pass on unchanged.
func (f *fields) pass(key string, v []byte) error {
	if v = jsonscan.Finite(v); string(v) == "null" {
		return nil
	}
	if f.ownBytes += len(key) + len(v); len(f.own) >= maxOwn || f.ownBytes > maxOwnBytes {
		return fmt.Errorf("fields beside the text of more than %d MB, or more than %d of them: leave some out, for example with jq 'del(.%s)'", maxOwnBytes>>20, maxOwn, key)
	}
	text := string(valid(v))
	for i := range f.own {
		if f.own[i].Name == key {
			f.own[i].Value = text
			return nil
		}
	}
	f.own = append(f.own, page.Field{Name: key, Value: text})
	return nil
}

// valid repairs faults that the scanner ignores: invalid UTF-8, and control characters in
// strings.
func valid(v []byte) []byte {
	if !utf8.Valid(v) {
		v = bytes.ToValidUTF8(v, []byte("\ufffd"))
	}
	if json.Valid(v) {
		return v
	}
	v = bytes.Map(func(r rune) rune {
		if r < 0x20 {
			return ' '
		}
		return r
	}, v)
	if json.Valid(v) {
		return v
	}
	s, err := json.Marshal(string(v)) // an incomplete escape
	if err != nil {
		return []byte("null")
	}
	return s
}
