package extract

import (
	"strings"

	"chaffinch/extract/metadata"
)

// metaTag records a meta element: its name, property, itemprop or http-equiv, and its content.
func (s *scan) metaTag() {
	l := &s.lex
	content, ok := l.attr("content")
	if !ok {
		return
	}
	for i := range l.attrs {
		a := &l.attrs[i]
		switch {
		case equalFold(a.name, "name"), equalFold(a.name, "property"), equalFold(a.name, "http-equiv"):
		case equalFold(a.name, "itemprop"):
			if s.cfg.Metadata {
				s.meta.Element(&metadata.Element{Name: l.name, ItemProp: a.val, Content: content, End: l.pos})
				s.meta.State(a.val, content)
				continue
			}
		default:
			continue
		}
		s.meta.Meta(a.val, content)
	}
}

// title records the content of a title element.
func (s *scan) title(content string) {
	if strings.TrimSpace(s.stated.Title) == "" {
		s.stated.Title = content
	}
	if s.cfg.Metadata {
		s.meta.Title(content)
	}
}

// htmlTag records the language of the html element.
func (s *scan) htmlTag() {
	for _, name := range [...]string{"lang", "xml:lang"} {
		if v, ok := s.lex.attr(name); ok && len(v) <= 64 {
			s.meta.HTMLLang(v)
			s.quotation = quotationOf(v)
		}
	}
}

// linkTag records a link element.
func (s *scan) linkTag() {
	if v, ok := s.lex.attr("hreflang"); ok && len(v) <= 64 {
		if href, _ := s.lex.attr("href"); href != "" && (href == s.inlines.pageURL || href == s.stated.Canonical) {
			s.meta.OwnLang(v)
		}
	}
	if s.cfg.Metadata || s.stated.Canonical == "" {
		rel, _ := s.lex.attr("rel")
		href, _ := s.lex.attr("href")
		if s.stated.Canonical == "" && strings.EqualFold(strings.TrimSpace(rel), "canonical") {
			s.stated.Canonical = href
		}
		if s.cfg.Metadata {
			s.meta.Link(rel, href)
		}
	}
}

// metadataElement records the current start tag if its attributes may mark metadata.
func (s *scan) metadataElement(t tagID) {
	e := metadata.Element{}
	some := t == tagTime
	for i := range s.lex.attrs {
		a := &s.lex.attrs[i]
		if a.val == "" && len(a.name) != len("pubdate") {
			continue
		}
		switch len(a.name) {
		case 2:
			if equalFold(a.name, "id") {
				e.ID, some = a.val, true
			}
		case 3:
			if equalFold(a.name, "rel") {
				e.Rel, some = a.val, true
			}
		case 4:
			if equalFold(a.name, "href") {
				e.Href, some = a.val, true
			}
		case 5:
			if equalFold(a.name, "class") {
				e.Class, some = a.val, true
			}
		case 7:
			if equalFold(a.name, "content") {
				e.Content = a.val
			} else if equalFold(a.name, "pubdate") {
				e.PubDate = true
			}
		case 8:
			switch {
			case equalFold(a.name, "itemprop"):
				e.ItemProp, some = a.val, true
			case equalFold(a.name, "property"):
				e.Property, some = a.val, true
			case equalFold(a.name, "datetime"):
				e.Datetime, some = a.val, true
			}
		}
	}
	if some {
		e.Name, e.End = s.lex.name, s.lex.pos
		s.meta.Element(&e)
	}
}

// translationMark records the mark of machine translation in the current start tag, if any.
func (s *scan) translationMark() {
	if name := s.translated.translationMarks.Find(strings.ToLower(s.lex.name), s.lex.attr); name != "" {
		s.meta.Translated(name)
	}
}
