package input

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"

	"chaffinch/format/document"
	"chaffinch/format/mail"
	"chaffinch/format/sniff"
	"chaffinch/format/wiki"
	"chaffinch/internal/packed"
	"chaffinch/page"
)

// bundleForm reads a file in which documents follow one another: messages of mail and news, or
// pages of MediaWiki.
type bundleForm struct {
	name    string
	cfg     Config
	in      *packed.Reader
	kind    string
	base    string // of addresses of a wiki
	skipped map[string]int
	last    []byte // the last piece
}

func newBundle(o *opener, in *packed.Reader, kind string) *bundleForm {
	f := &bundleForm{name: o.name, cfg: *o.cfg, in: in, kind: kind, skipped: o.skipped}
	if kind == formWiki {
		head, _ := in.Peek(sniff.Bytes)
		f.base = wiki.Base(head)
	}
	return f
}

func (f *bundleForm) next() (*page.Page, error) {
	for {
		f.in.Forget()
		f.in.Buffered() // opens the member that holds the document
		at := f.in.Pos()
		offset := f.in.At(at)
		read := f.message
		if f.kind == formWiki {
			read = f.wikiPage
		}
		record, cut, err := read()
		damage := err
		if err == io.EOF {
			damage = nil
		}
		if damage != nil {
			damage = &page.Error{File: f.name, Offset: offset, Err: fmt.Errorf("cannot be unpacked: %w", err)}
			f.in.Resync()
		}
		if len(bytes.TrimSpace(record)) == 0 {
			if damage != nil || err == io.EOF {
				return nil, cmp.Or(damage, err)
			}
			continue
		}
		p := f.page(record)
		if p == nil {
			if damage != nil {
				return nil, damage
			}
			continue
		}
		p.ID = f.name + "#" + strconv.FormatInt(at.Member, 10)
		if at.Skip > 0 {
			p.ID += "+" + strconv.FormatInt(at.Skip, 10)
		}
		p.Source.File, p.Source.Offset = f.name, offset
		switch {
		case damage != nil:
			p.Cut = page.Truncated
		case cut:
			p.Cut = page.TooLarge
		}
		return p, damage
	}
}

// page returns the page of a record, nil for a page of a wiki that is not an article.
func (f *bundleForm) page(record []byte) *page.Page {
	if f.kind == formMbox {
		raw := mail.Message(record)
		return &page.Page{Raw: raw, MIME: document.MediaType("eml"), Source: page.Source{Record: mail.ID(raw)}}
	}
	info := wiki.Inspect(string(record))
	switch {
	case info.Namespace != "0" && info.Namespace != "":
		f.skipped["pages of other namespaces"]++
		return nil
	case info.Redirect:
		f.skipped["redirects"]++
		return nil
	}
	return &page.Page{Raw: record, URL: wiki.Address(f.base, info.Title), MIME: document.MediaType("mediawiki"), Source: page.Source{Record: info.ID}}
}

// message reads a message with its separator, up to the next separator.
func (f *bundleForm) message() (record []byte, cut bool, err error) {
	blank := false
	for first := true; ; first = false {
		head, _ := f.in.Peek(5)
		if !first && (blank && string(head) == "From " || string(head) == "#! rn") {
			if head, _ = f.in.Peek(1024); mail.Begins(head) {
				return record, cut, nil
			}
		}
		long, err := f.piece('\n')
		blank = len(bytes.TrimSpace(f.last)) == 0
		record, cut = f.add(record, cut || long)
		if err != nil {
			return record, cut, err
		}
	}
}

// wikiPage reads an element page.
func (f *bundleForm) wikiPage() (record []byte, cut bool, err error) {
	begin, end := []byte("<page>"), []byte("</page>")
	for inside := false; ; {
		long, err := f.piece('>')
		if inside {
			record, cut = f.add(record, cut || long)
		} else if bytes.HasSuffix(f.last, begin) {
			inside, record = true, append(record, begin...)
		}
		if err != nil || inside && bytes.HasSuffix(f.last, end) {
			return record, cut, err
		}
	}
}

// add appends the last piece to a record, up to the limit of a page.
func (f *bundleForm) add(record []byte, cut bool) ([]byte, bool) {
	space := max(int(f.cfg.MaxPageBytes)-len(record), 0)
	return append(record, f.last[:min(len(f.last), space)]...), cut || len(f.last) > space
}

// piece reads bytes up to and including a delimiter into f.last. It reports whether bytes after the
// limit of a page were skipped.
func (f *bundleForm) piece(delimiter byte) (long bool, err error) {
	f.last = f.last[:0]
	for {
		b, err := f.in.Buffered()
		if err != nil {
			return long, err
		}
		n := bytes.IndexByte(b, delimiter) + 1
		end := n > 0
		if !end {
			n = len(b)
		}
		space := int(f.cfg.MaxPageBytes) - len(f.last)
		long = long || n > space
		f.last = append(f.last, b[:min(n, space)]...)
		f.in.Discard(int64(n))
		if end {
			return long, nil
		}
	}
}

func (f *bundleForm) pos(p *Position) {
	at := f.in.Pos()
	p.Offset, p.Skip = at.Member, at.Skip
}

func (f *bundleForm) seek(p Position) error {
	return f.in.Seek(packed.Pos{Member: p.Offset, Skip: p.Skip})
}

func (f *bundleForm) close() {}
