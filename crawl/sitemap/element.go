package sitemap

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"chaffinch/page/weburl"
)

// state is the state of the reader in XML.
type state struct {
	seen   bool   // an element was read
	entry  string // name of the element around the address; "" outside
	prefix string // prefix of that element
	field  string // name of the element whose text is read; "" if none
	nested int    // depth of elements in the field with the name of the entry
	text   strings.Builder

	address, modified string
	base              weburl.URL // base of loc
	fallback          string     // address to use if there is no loc
	alternates        []Alternate
}

// nextElement reads XML up to the end of an entry.
func (r *Reader) nextElement() (*Entry, error) {
	for {
		tok, err := r.dec.RawToken()
		if err != nil {
			if _, bad := err.(*xml.SyntaxError); bad { // in a tag: the text before it is complete
				r.closeField()
			}
			if r.state.address != "" {
				return r.finish("")
			}
			if err == io.EOF && !r.state.seen {
				err = ErrNoList
			}
			return nil, r.end(err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			name := strings.ToLower(tok.Name.Local)
			if !r.state.seen && name == "html" {
				return nil, r.end(fmt.Errorf("%w: found an HTML page", ErrNoList))
			}
			r.state.seen = true
			r.openBase(name, tok)
			if r.start(name, tok) { // a second address in the entry
				return r.finish(r.state.entry)
			}
		case xml.CharData:
			if s := &r.state; s.field == "" {
				s.setFallback(string(tok[:min(len(tok), maxText)]))
			} else if s.text.Len() < maxText {
				s.text.Write(tok[:min(len(tok), maxText-s.text.Len())])
			}
		case xml.EndElement:
			name := strings.ToLower(tok.Name.Local)
			ended := r.stop(name)
			r.closeBase(name)
			if ended {
				if r.state.address == "" {
					r.state = state{seen: true}
					continue
				}
				return r.finish("")
			}
		}
	}
}

// xmlBase is an element with an xml:base.
type xmlBase struct {
	name   string
	base   weburl.URL
	nested int // depth of elements in it with the same name
}

// maxBases is the most nested elements with an xml:base.
const maxBases = 32

// openBase handles the start of an element, which may have an xml:base (XML Base, 2009).
func (r *Reader) openBase(name string, tok xml.StartElement) {
	if n := len(r.bases); n > 0 && r.bases[n-1].name == name {
		r.bases[n-1].nested++
	}
	for _, a := range tok.Attr {
		if a.Name.Space != "xml" || a.Name.Local != "base" || len(r.bases) == maxBases {
			continue
		}
		from := r.currentBase()
		if base, err := weburl.Parse(strings.TrimSpace(a.Value), &from); err == nil {
			r.bases = append(r.bases, xmlBase{name: name, base: base})
		}
		return
	}
}

// closeBase handles the end of an element.
func (r *Reader) closeBase(name string) {
	n := len(r.bases)
	if n == 0 || r.bases[n-1].name != name {
		return
	}
	if r.bases[n-1].nested > 0 {
		r.bases[n-1].nested--
		return
	}
	if r.bases = r.bases[:n-1]; n > 1 && r.bases[n-2].name == name {
		r.bases[n-2].nested--
	}
}

// currentBase returns the current base of relative addresses.
func (r *Reader) currentBase() weburl.URL {
	if n := len(r.bases); n > 0 {
		return r.bases[n-1].base
	}
	return r.base
}

// start handles the start of an element. It reports whether the previous entry is complete because
// another address follows in the same element.
func (r *Reader) start(name string, tok xml.StartElement) (done bool) {
	s := &r.state
	switch {
	case s.entry == "":
		switch name {
		case "url", "sitemap", "item", "entry":
			*s = state{seen: true, entry: name, prefix: tok.Name.Space, fallback: attribute(tok, "about")}
		}
		return false
	case s.field != "" && name == s.entry:
		s.nested++
		return false
	case tok.Name.Space != s.prefix && name != "link" && name != "date": // image:loc and the like
		return false
	}
	switch name {
	case "loc":
		r.closeField()
		done = s.address != ""
		s.field = name
	case "lastmod", "pubdate", "date", "updated", "published", "guid":
		r.closeField()
		s.field = name
	case "link":
		r.closeField()
		r.link(tok)
	}
	return done
}

// link handles a link element: the address of a feed entry, or of the page in another language.
func (r *Reader) link(tok xml.StartElement) {
	s := &r.state
	href, rel, lang := attribute(tok, "href"), attribute(tok, "rel"), attribute(tok, "hreflang")
	switch {
	case s.entry == "url":
		if href == "" || lang == "" || !strings.EqualFold(rel, "alternate") || len(s.alternates) >= maxAlternates {
			return
		}
		from := r.currentBase()
		if u, err := weburl.Parse(href, &from); err == nil {
			s.alternates = append(s.alternates, Alternate{lang, u})
		}
	case href == "" && tok.Name.Space == s.prefix:
		s.field = "link"
	case href != "" && s.entry == "entry" && s.address == "" && (rel == "" || strings.EqualFold(rel, "alternate")):
		s.address, s.base = href, r.currentBase()
	}
}

// stop handles the end of an element and reports whether it ends the entry.
func (r *Reader) stop(name string) bool {
	s := &r.state
	switch {
	case s.field != "" && name == s.field:
		r.closeField()
	case name != s.entry || s.entry == "":
	case s.nested > 0:
		s.nested--
	default:
		r.closeField()
		if s.address == "" {
			s.address, s.base = s.fallback, r.currentBase()
		}
		return true
	}
	return false
}

// closeField ends the current field.
func (r *Reader) closeField() {
	s := &r.state
	text := strings.TrimSpace(s.text.String())
	switch s.field {
	case "loc", "link":
		s.address, s.base = text, r.currentBase()
	case "guid":
		s.setFallback(text)
	case "published":
		if s.modified == "" {
			s.modified = text
		}
	case "lastmod", "pubdate", "date", "updated":
		s.modified = text
	}
	s.field, s.nested = "", 0
	s.text.Reset()
}

// setFallback records an address outside of the proper element: in a guid, or in the text of the entry.
func (s *state) setFallback(text string) {
	if s.entry != "" && s.fallback == "" {
		if text = strings.TrimSpace(text); len(text) > 4 && strings.EqualFold(text[:4], "http") {
			s.fallback = text
		}
	}
}

// finish returns the entry that was read. next is the name of the entry that continues with the
// current field; "" if none does.
func (r *Reader) finish(next string) (*Entry, error) {
	was := r.state
	r.state = state{seen: true}
	if next != "" {
		r.state.entry, r.state.prefix, r.state.field = was.entry, was.prefix, was.field
	}
	e, err := r.entry(was.address, was.base)
	if err == nil {
		e.Sitemap, e.Modified, e.Alternates = was.entry == "sitemap", date(was.modified), was.alternates
	}
	return e, err
}

// attribute returns the value of an attribute, regardless of its prefix.
func attribute(tok xml.StartElement, name string) string {
	for _, a := range tok.Attr {
		if strings.EqualFold(a.Name.Local, name) {
			return strings.TrimSpace(a.Value)
		}
	}
	return ""
}
