package input

import (
	"errors"
	"io"

	"chaffinch/format/plain"
	"chaffinch/format/warc"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// plainForm reads a file with one page.
type plainForm struct {
	name  string
	named bool // by the user
	cfg   Config
	in    *packed.Reader
	kind  string
	page  *page.Page // page that is already read
	err   error      // error of that page
	end   bool
}

// classify returns the page without its bytes, which begin with head. A page that is
// neither HTML nor text nor a document has a Drop.
func (f *plainForm) classify(head []byte) *page.Page {
	p := &page.Page{ID: f.name, URL: f.cfg.URL, Source: page.Source{File: f.name}}
	keep := true
	switch f.kind {
	case formHTML:
		p.MIME = plain.HTML
	case formText:
		p.MIME = plain.Text
	default:
		p.MIME, keep = mediaType("", head, f.name)
	}
	if p.MIME == plain.Text {
		f.cfg.reportTable(f.name)
	}
	if !keep {
		p.Drop = page.NotText
		if f.named {
			f.err = foreign(f.name, head)
		}
	}
	return p
}

func (f *plainForm) next() (*page.Page, error) {
	if f.end {
		return nil, io.EOF
	}
	f.end = true
	if f.page != nil {
		return f.page, f.err
	}
	head, _ := f.in.Peek(plain.SniffBytes)
	p := f.classify(head)
	if p.Drop != page.None {
		return p, f.err
	}
	raw, err := plain.Read(f.in, f.cfg.MaxPageBytes)
	p.Raw = raw
	if err == nil {
		return p, nil
	}
	p.Cut = reason(err)
	if p.Cut == page.TooLarge {
		return p, nil
	}
	if p.Cut == page.TooCompressed {
		p.Drop, p.Cut, p.Raw = p.Cut, page.None, nil
	}
	at := int64(0)
	var d *packed.Damage
	if errors.As(err, &d) {
		at = d.At
	}
	return p, &page.Error{File: f.name, Offset: at, Err: err}
}

// reason returns the reason why a page is incomplete.
func reason(err error) page.Reason {
	switch {
	case errors.Is(err, plain.ErrTooLarge), errors.Is(err, warc.ErrTooLarge):
		return page.TooLarge
	case errors.Is(err, packed.ErrTooCompressed), errors.Is(err, warc.ErrTooDense):
		return page.TooCompressed
	case errors.Is(err, io.ErrUnexpectedEOF):
		return page.Truncated
	case errors.Is(err, warc.ErrCoding), errors.Is(err, warc.ErrChunk):
		return page.BadEncoding
	}
	return page.Truncated
}

func (f *plainForm) pos(p *Position) {
	if f.end {
		p.Record = 1
	}
}

func (f *plainForm) seek(p Position) error {
	f.end = p.Record > 0
	return nil
}

func (f *plainForm) close() {}
