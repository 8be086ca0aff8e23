package vertical

import (
	"encoding/json"
	"io"
	"iter"
	"strconv"
	"strings"

	"chaffinch/format/tree"
	"chaffinch/internal/readers"
	"chaffinch/page"
)

// Pages converts the documents of a vertical or prevertical to pages, with all text kept.
// Each <p> becomes a block. Each attribute that no encoder of this package writes becomes a
// field. A document of more than [ReaderConfig.MaxDoc] bytes is truncated, with
// [page.TooLarge] as Page.Cut.
type Pages struct {
	r     *Reader
	p     *page.Page
	block page.Block
	row   bool  // the paragraph is a row of a table
	rows  int32 // number of rows of the page so far
	text  []byte
	glue  bool
	size  int // bytes of the page so far, including blockSize for each block
}

// blockSize is the accounted size of a block without its text.
const blockSize = 128

// NewPages returns a reader of the documents of r.
func NewPages(r *Reader) *Pages { return &Pages{r: r, glue: true} }

// All ranges over the pages as [Pages.Next] returns them. It ends at an error.
func (r *Pages) All() iter.Seq2[*page.Page, error] { return readers.All(r.Next, readers.Never) }

// Next returns the page of the next document, or io.EOF at the end. Text outside documents
// is a separate page.
func (r *Pages) Next() (*page.Page, error) {
	for {
		l, err := r.r.Next()
		if err == io.EOF {
			if p := r.end(); p != nil {
				return p, nil
			}
		}
		if err != nil {
			return nil, err
		}
		switch l.Kind {
		case Token, Text:
			if r.full(len(l.Fields[0]) + 1) {
				continue
			}
			if !r.glue {
				sep := byte(' ')
				if l.Kind == Text {
					sep = '\n'
				}
				r.text = append(r.text, sep)
			}
			r.text = append(r.text, l.Fields[0]...)
			r.glue = false
		case Empty:
			switch string(l.Name) {
			case "g":
				r.glue = true
			case "sp":
				if r.full(len(l.Value("s"))) {
					continue
				}
				r.text = append(r.text, l.Value("s")...)
				r.glue = true
			}
		default:
			if p := r.tag(l); p != nil {
				return p, nil
			}
		}
	}
}

// full adds n bytes to the size of the page and reports whether the page exceeds the limit.
// The page is then truncated.
func (r *Pages) full(n int) bool {
	if r.size+n <= r.r.cfg.MaxDoc {
		r.size += n
		return false
	}
	if r.p == nil {
		r.p = &page.Page{}
	}
	r.p.Cut = page.TooLarge
	return true
}

// tag processes a tag of a structure. It returns a page if the tag ends one.
func (r *Pages) tag(l *Line) *page.Page {
	switch string(l.Name) {
	case paragraph:
		r.flush()
		if l.Kind == Open {
			r.paragraph(l)
		}
	case r.r.cfg.Doc:
		p := r.end()
		if l.Kind == Open {
			r.p = docPage(l)
		}
		return p
	}
	return nil
}

// end returns the current page, or nil if there is none.
func (r *Pages) end() *page.Page {
	r.flush()
	p := r.p
	r.p, r.rows, r.size = nil, 0, 0
	if p != nil && len(p.Blocks) == 0 && p.Drop == page.None {
		p.Drop = page.Empty
	}
	return p
}

// flush adds the current block.
func (r *Pages) flush() {
	b := r.block
	b.Text = strings.TrimSpace(string(r.text))
	r.text, r.glue, r.block = r.text[:0], true, page.Block{}
	defer func() { r.row = false }()
	if b.Text == "" {
		return
	}
	if r.p == nil {
		r.p = &page.Page{}
	}
	if b.Label == page.Unknown {
		b.Label, b.By = page.Good, tree.By
	}
	b.Element = -1
	if !r.row {
		r.size += blockSize
		r.p.Blocks = append(r.p.Blocks, b)
		return
	}
	r.rows++
	column := -1
	for cell := range strings.SplitSeq(b.Text, "\t") {
		column++
		if c := b; strings.TrimSpace(cell) != "" {
			if r.full(blockSize) {
				return
			}
			c.Text, c.Kind, c.Row, c.Column = cell, page.Cell, r.rows, uint16(min(column, 1<<16-1))
			r.p.Blocks = append(r.p.Blocks, c)
		}
	}
}

// paragraph reads the attributes of a paragraph.
func (r *Pages) paragraph(l *Line) {
	b := &r.block
	b.Lang = string(l.Value("lang"))
	if string(l.Value("heading")) == "1" {
		b.Kind, b.Level = page.Heading, 1
	}
	switch string(l.Value("kind")) {
	case "item":
		b.Kind = page.Item
	case "cell":
		b.Kind = page.Cell
	case "row":
		r.row = true
	case "line":
		b.Kind = page.Line
	case "code":
		b.Kind = page.Code
	}
	b.Role, _ = page.RoleOf(string(l.Value("role")))
	switch string(l.Value("class")) {
	case "bad":
		b.Label = page.Bad
	case "short":
		b.Label = page.Short
	}
}

// docPage returns the page of the tag of a document.
func docPage(l *Line) *page.Page {
	p := &page.Page{MIME: "text/plain"}
	for _, a := range l.Attrs {
		v := string(a.Value)
		name := string(a.Name)
		if tree.SetEstimate(p, name, v) {
			continue
		}
		switch name {
		case "id":
			p.ID = v
		case "url":
			p.URL = v
		case "title":
			p.Meta.Title = v
		case "author":
			p.Meta.Authors = strings.Split(v, "; ")
		case "lang":
			p.Lang = v
		case "lang_confidence":
			p.LangConfidence, _ = strconv.ParseFloat(v, 64)
		case "declared_lang":
			p.Meta.Lang = v
		case "date":
			p.Meta.Date = v
		case "crawl_date":
			p.Meta.Fetched = v
		case "license":
			p.Meta.License = v
		case "optout":
			p.Meta.Optout = v
		case "translated":
			p.Meta.Translated = v
		case "charset", "enc":
			p.Charset = v
		case "file_type":
			p.MIME = v
		case "file":
			p.Source.File = v
		case "offset":
			p.Source.Offset, _ = strconv.ParseInt(v, 10, 64)
		case "record":
			p.Source.Record = v
		case "drop":
			p.Drop = page.ReasonOf(v)
		case "urldomain", "length", "words", "cut": // derived from the text or the address
		default:
			if json.Valid(a.Value) && len(v) < 20 && (v[0] == '-' || v[0] >= '0' && v[0] <= '9') {
				p.Fields = append(p.Fields, page.Field{Name: name, Value: v})
				continue
			}
			if b, err := json.Marshal(v); err == nil {
				p.Fields = append(p.Fields, page.Field{Name: name, Value: string(b)})
			}
		}
	}
	return p
}
