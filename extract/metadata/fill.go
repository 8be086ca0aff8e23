package metadata

import (
	"slices"
	"strings"

	"chaffinch/page"
	"chaffinch/page/optout"
)

// Fill completes p.Meta from the sources and the text of p. src is the source of p. Fields that are
// set are not changed.
func (s *Sources) Fill(p *page.Page, src string) {
	m := &p.Meta
	doc := &fieldReader{s: s, p: p, src: src}
	s.FillLang(p)
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

// FillLang completes only the language of p, and sets the other declared languages.
func (s *Sources) FillLang(p *page.Page) {
	p.Stated.Langs = nil
	for _, c := range s.candidates(lang) {
		l := firstLang(unescape(c.value))
		if l == "" {
			continue
		}
		fill(&p.Meta.Lang, l)
		if len(p.Stated.Langs) < maxLangs && !strings.EqualFold(l, p.Meta.Lang) && !slices.Contains(p.Stated.Langs, l) {
			p.Stated.Langs = append(p.Stated.Langs, strings.Clone(l))
		}
	}
}

// maxLangs is the maximum number of other declared languages.
const maxLangs = 8

func fill(to *string, value string) {
	if *to == "" {
		*to = strings.Clone(value) // so that the source is not kept in memory
	}
}

// fieldReader holds a page while its fields are determined.
type fieldReader struct {
	s   *Sources
	p   *page.Page
	src string

	searched bool         // about is set
	nearby   []page.Block // blocks near the title
}

// first returns the first non-empty candidate of a field, cut to n bytes.
func (d *fieldReader) first(f field, n int) string {
	for _, c := range d.s.candidates(f) {
		if v := c.text(d.src); v != "" {
			return truncate(v, n)
		}
	}
	return ""
}
