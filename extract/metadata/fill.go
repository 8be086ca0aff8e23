package metadata

import (
	"strings"

	"chaffinch/page"
	"chaffinch/page/optout"
)

// Fill completes p.Meta from the sources and the text of p, whose source is
// src; what is there already stays.
func (s *Sources) Fill(p *page.Page, src string) {
	m := &p.Meta
	doc := &reading{s: s, p: p, src: src}
	fill(&m.Lang, s.lang())
	fill(&m.Canonical, doc.address(canonical))
	fill(&m.Site, doc.site())
	fill(&m.Title, doc.title(m.Site))
	fill(&m.Modified, doc.modified())
	fill(&m.Date, doc.published())
	if m.Date == "" {
		m.Date = m.Modified
	}
	if m.Authors == nil {
		m.Authors = doc.authors()
	}
	fill(&m.Description, doc.first(description, 2000))
	fill(&m.License, doc.license())
	m.Optout = optout.Append(m.Optout, optout.Parse(s.optout)...)
	fill(&m.Translated, s.translated)
	fill(&m.Image, doc.address(image))
	fill(&m.Type, doc.first(kind, 64))
	if m.Tags == nil {
		m.Tags = doc.list(tags)
	}
	if m.Categories == nil {
		m.Categories = doc.list(section)
	}
}

// FillLang completes the language of p alone.
func (s *Sources) FillLang(p *page.Page) { fill(&p.Meta.Lang, s.lang()) }

func fill(to *string, value string) {
	if *to == "" {
		*to = strings.Clone(value) // the source is not kept alive
	}
}

// reading is one page at the time when its fields are decided.
type reading struct {
	s   *Sources
	p   *page.Page
	src string

	looked bool         // for the blocks about the title
	about  []page.Block // these blocks
}

// first returns the best value of a field that is not empty, cut to n bytes.
func (d *reading) first(f field, n int) string {
	for _, c := range d.s.of(f) {
		if v := c.text(d.src); v != "" {
			return cut(v, n)
		}
	}
	return ""
}
