// Package metadata extracts the metadata of a page: title, authors, dates, site,
// description, language, canonical address, licence, tags, image and type. It reads JSON-LD
// (schema.org), OpenGraph, Twitter cards, the names of meta tags in use (Dublin Core,
// citation_*, parsely, sailthru), microdata and link types, and if these are missing the
// text: bylines, headings, dates beside the title, the date in the address. [Sources]
// records where metadata may be, [Sources.Fill] reads it.
//
// Reading a page goes in two steps, so that pages whose metadata nobody asks
// for cost nothing. While the page is read, [Sources] notes where something
// may stand, as spans of the source. [Sources.Fill] then looks at these
// candidates in the order of trust of docs/explanation/metadata.md, field by field, and
// parses no more than it needs.
package metadata

import (
	"slices"
	"strings"

	"chaffinch/extract/translated"
	"chaffinch/page"
	"chaffinch/page/optout"
)

// Sources notes the places of one page that may hold metadata. The zero value
// is ready; all strings are slices of the page's source.
type Sources struct {
	found      []candidate
	scripts    int    // JSON-LD read
	names      []span // elements with itemprop "name"
	commons    string // the last link to Creative Commons
	written    bool   // the head names authors in full
	dated      bool   // the head tells the date of publication
	seen       int    // elements
	until      int    // how many of them are looked at for hints, 0 before the first heading
	sorted     bool
	translated string      // marks of machine translation
	optout     string      // what meta elements say against the use of the page
	stated     page.Stated // what meta elements and JSON-LD say, texts with references
}

// span is an element: its name and the byte behind its start tag.
type span struct {
	element string
	at      int
	content string
}

// candidate is a possible value of a field.
type candidate struct {
	field field
	rank  uint8  // order of trust within the field, best first
	plain bool   // value holds no character references
	value string // of an attribute or a JSON member
	from  span   // the element whose text is meant, if value is empty
}

// field is a part of the metadata.
type field uint8

const (
	title field = iota
	author
	published
	modified
	site
	description
	lang
	canonical
	license
	tags
	section
	image
	kind
)

// Bounds of what is kept of a page.
const (
	maxFound   = 400
	maxValue   = 4096    // bytes of an attribute
	maxScripts = 40      // JSON-LD scripts
	maxScript  = 1 << 20 // bytes of one
)

// Reset forgets the page and keeps the memory.
func (s *Sources) Reset() {
	clear(s.found)
	clear(s.names)
	*s = Sources{found: s.found[:0], names: s.names[:0]} // what is stated belongs to the page
}

func (s *Sources) add(c candidate) {
	if len(s.found) < maxFound && len(c.value) <= maxValue {
		s.found = append(s.found, c)
		s.sorted = false
	}
}

// Meta takes a meta element: its name, property, itemprop or http-equiv, and
// its content with references.
func (s *Sources) Meta(name, content string) {
	if content == "" {
		return
	}
	f, ok := metaName(name)
	if !ok {
		s.optout = optout.Append(s.optout, optout.Meta(name, cut(content, maxValue), optout.Agent)...)
		return
	}
	s.add(candidate{field: f.field, rank: f.rank, value: content})
	s.state(f.field, content)
	switch f.field {
	case author:
		s.written = s.written || f.rank <= authorMeta && strings.IndexByte(content, ' ') > 0
	case published:
		s.dated = s.dated || f.rank <= dateMeta
	}
}

// Translated takes the name of a mark of machine translation.
func (s *Sources) Translated(mark string) { s.translated = translated.Append(s.translated, mark) }

// metaName returns what the name of a meta element stands for.
func metaName(name string) (source, bool) {
	if len(name) > 64 {
		return source{}, false
	}
	key := strings.ToLower(strings.TrimSpace(name))
	f, ok := metaNames[key]
	if !ok && strings.HasPrefix(key, "dc") {
		f, ok = metaNames[strings.Replace(key, ":", ".", 1)]
	}
	return f, ok
}

// HTMLLang takes the lang attribute of the html element.
func (s *Sources) HTMLLang(v string) { s.add(candidate{field: lang, value: v}) }

// Link takes a link element.
func (s *Sources) Link(rel, href string) {
	if f, ok := relOf(rel); ok && href != "" && f.field != author {
		s.add(candidate{field: f.field, rank: f.rank, value: href})
	}
}

// Title takes the content of a title element; the first one with text counts.
func (s *Sources) Title(content string) {
	s.add(candidate{field: title, rank: titleTag, value: cut(content, 2000)})
}

// Script takes a script of type application/ld+json.
func (s *Sources) Script(content string) {
	if s.scripts++; s.scripts > maxScripts {
		return
	}
	from := len(s.found)
	s.linked(content[:min(len(content), maxScript)])
	for i := range s.found[from:] {
		switch c := &s.found[from+i]; {
		case c.field == author && c.rank == authorLinked:
			s.written = s.written || full(c.value) && !s.isSite(c.value)
		case c.field == published:
			s.dated = s.dated || c.rank <= dateMeta
		}
	}
}

// isSite tells whether a name is that of the site, as far as it is known.
func (s *Sources) isSite(name string) bool {
	for i := range s.found {
		if c := &s.found[i]; c.field == site && strings.EqualFold(c.value, name) {
			return true
		}
	}
	return false
}

// Settled tells that author and date are known so well that class names, ids
// and links need not be looked at.
func (s *Sources) Settled() bool { return s.written && s.dated }

// Heading takes the start tag of a heading of level 1. Hints are looked for up to a
// good way behind the last one.
func (s *Sources) Heading() { s.until = s.seen + hintsBehind }

const hintsBehind = 300

// Element is a start tag in the body.
type Element struct {
	Name                              string // of the element, any case
	ItemProp, Rel, Class, ID          string
	Datetime, Content, Href, Property string
	PubDate                           bool // the attribute of that name
	End                               int  // byte behind the tag
}

// Element takes an element that says what it holds: by itemprop or property, by rel,
// by its class or id, or as a time element.
func (s *Sources) Element(e *Element) {
	from := span{e.Name, e.End, e.Content}
	value := e.Content
	dated := false // by itemprop
	if e.Datetime != "" {
		value = e.Datetime
	}
	for _, prop := range [...]string{e.ItemProp, e.Property} {
		if prop == "" || len(prop) > 64 {
			continue
		}
		if strings.EqualFold(prop, "name") && len(s.names) < 64 {
			s.names = append(s.names, from)
			continue
		}
		for p := range strings.FieldsSeq(prop) {
			if f, ok := itemProps[strings.ToLower(p)]; ok {
				dated = dated || f.field == published || f.field == modified
				v := value
				if v == "" && (f.field == license || f.field == image) {
					v = e.Href
				}
				s.add(candidate{field: f.field, rank: f.rank, value: v, from: from})
			}
		}
	}
	if e.Rel != "" {
		if f, ok := relOf(e.Rel); ok {
			v := ""
			if f.field == license {
				v = e.Href
			}
			s.add(candidate{field: f.field, rank: f.rank, value: v, from: from})
		}
	}
	if e.Href != "" && isCommons(e.Href) && len(e.Href) < maxValue && creative(e.Href) != "" {
		s.commons = e.Href
	}
	isTime := len(e.Name) == 4 && strings.EqualFold(e.Name, "time")
	s.seen++
	if isTime && dated || s.Settled() || s.until > 0 && s.seen > s.until {
		return
	}
	if e.Href != "" && !s.written && isProfile(e.Href) {
		s.add(candidate{field: author, rank: authorLink, from: from})
	}
	if f, ok := hintOf(e.Class); ok && (!isTime || f.field == published || f.field == modified) {
		if isTime && f.field == published {
			f.rank = timeMarked
		}
		s.add(candidate{field: f.field, rank: f.rank, value: value, from: from})
	} else if f, ok := hintOf(e.ID); ok {
		s.add(candidate{field: f.field, rank: f.rank, value: value, from: from})
	} else if isTime {
		rank := timeElement
		if e.PubDate {
			rank = timePub
		}
		s.add(candidate{field: published, rank: rank, value: value, from: from})
	}
}

// of returns the candidates of a field, best first.
func (s *Sources) of(f field) []candidate {
	if !s.sorted {
		slices.SortStableFunc(s.found, func(a, b candidate) int {
			return int(a.field)<<8 + int(a.rank) - int(b.field)<<8 - int(b.rank)
		})
		s.sorted = true
	}
	i := 0
	for i < len(s.found) && s.found[i].field < f {
		i++
	}
	j := i
	for j < len(s.found) && s.found[j].field == f {
		j++
	}
	return s.found[i:j]
}

// text returns the value of c as text: attributes unescaped, or the text of
// the element.
func (c *candidate) text(src string) string {
	switch {
	case c.value != "" && c.plain:
		return collapse(c.value)
	case c.value != "":
		return unescape(c.value)
	case c.from.at > 0:
		return textOf(src, c.from)
	}
	return ""
}
