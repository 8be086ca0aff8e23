package extract

import (
	"strings"

	"chaffinch/extract/metadata"
)

// metaTag records a meta element: its name, property, itemprop or http-equiv, and its content.
func (s *scan) metaTag() {
	l := &s.lex
	content, ok := l.attrs.get(attrContent)
	if !ok {
		return
	}
	for i := range l.attrs.list {
		a := &l.attrs.list[i]
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
		if v, ok := s.lex.attrs.named(name); ok && len(v) <= 64 {
			s.meta.HTMLLang(v)
			s.quotation = quotationOf(v)
		}
	}
}

// linkTag records a link element.
func (s *scan) linkTag() {
	if v, ok := s.lex.attrs.get(attrHreflang); ok && len(v) <= 64 {
		if href := s.lex.attrs.value(attrHref); href != "" && (href == s.inlines.pageURL || href == s.stated.Canonical) {
			s.meta.OwnLang(v)
		}
	}
	if s.cfg.Metadata || s.stated.Canonical == "" {
		rel := s.lex.attrs.value(attrRel)
		href := s.lex.attrs.value(attrHref)
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
	l := &s.lex
	if t != tagTime && !l.attrs.has(marksMetadata) {
		return
	}
	a := l.attrs.filled(true)
	id, href, class := a.value(attrElementID), a.value(attrHref), a.value(attrClass)
	filled := len(id) + len(href) + len(class)
	if t != tagTime && filled > 0 && !a.has(marksValues) && s.meta.Ignores(href) {
		return
	}
	e := metadata.Element{ID: id, Href: href, Class: class}
	if a.has(marksValues) {
		e.Rel, e.ItemProp, e.Property, e.Datetime = a.value(attrRel), a.value(attrItemProp), a.value(attrProperty), a.value(attrDatetime)
		filled += len(e.Rel) + len(e.ItemProp) + len(e.Property) + len(e.Datetime)
	}
	if t != tagTime && filled == 0 {
		return
	}
	e.Content, e.PubDate = a.value(attrContent), a.has(1<<attrPubDate)
	e.Name, e.End = l.name, l.pos
	s.meta.Element(&e)
}

// marksMetadata holds the attributes that may mark metadata.
const marksMetadata = 1<<attrElementID | 1<<attrHref | 1<<attrClass | marksValues

// marksValues holds the attributes of marksMetadata that few elements have.
const marksValues = 1<<attrRel | 1<<attrItemProp | 1<<attrProperty | 1<<attrDatetime

// translationMark records the mark of machine translation in the current start tag, if any.
func (s *scan) translationMark() {
	rules := s.translated.markedTags[s.lex.tag]
	if s.lex.tag == tagUnknown {
		rules = s.translated.translationMarks.Of(strings.ToLower(s.lex.name))
	}
	if name := rules.Find(s.named); name != "" {
		s.meta.Translated(name)
	}
}
