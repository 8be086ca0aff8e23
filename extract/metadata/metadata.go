// Package metadata extracts the metadata of a page: title, authors, dates, site, description,
// language, canonical address, licence, tags, image and type. [Sources] records where metadata may
// be; [Sources.Fill] reads it into a page.
//
// Sources are JSON-LD (schema.org), OpenGraph, Twitter cards, common names of meta elements (Dublin
// Core, citation_*, parsely, sailthru), microdata and link types. If these are missing the text is
// read: bylines, headings, dates near the title, the date in the address.
//
// Reading has two steps, so that recording costs little. While a page is parsed, [Sources] records
// spans of the source that may hold metadata. [Sources.Fill] then reads these candidates field by
// field in the order of trust in docs/explanation/metadata.md, and parses only the candidates it
// needs.
package metadata

import (
	"slices"
	"strings"

	"chaffinch/extract/translated"
	"chaffinch/page"
	"chaffinch/page/optout"
)

// Sources records the places of a page that may hold metadata. The zero value is ready to use. All
// strings are slices of the page's source.
type Sources struct {
	candidateList []candidate
	spare         []candidate // buffers of sort
	order         []uint32
	scripts       int       // JSON-LD scripts read
	names         []span    // elements with itemprop "name"
	heads         []heading // buffer
	ccLink        string    // the last link to Creative Commons
	authorKnown   bool      // the head names authors in full
	dateKnown     bool      // the head has the date of publication
	elements      int       // number of elements
	hintLimit     int       // number of elements that are searched for hints; 0 before the first heading
	sorted        bool
	translated    string      // marks of machine translation
	optout        string      // restrictions of use in meta elements
	stated        page.Stated // values of meta elements and JSON-LD, unescaped
}

// span is an element: its name and the byte after its start tag.
type span struct {
	element string
	at      int
	content string
}

// candidate is a possible value of a field.
type candidate struct {
	field field
	rank  uint8  // order of trust within the field; 0 is best
	plain bool   // value holds no character references
	value string // of an attribute or a JSON member
	from  span   // the element with the text, if value is empty
}

// field is a field of the metadata.
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

// Limits of the candidates of a page.
const (
	maxCandidates = 400
	maxValue      = 4096    // bytes of an attribute
	maxScripts    = 40      // JSON-LD scripts
	maxScript     = 1 << 20 // bytes of a script
)

// Reset empties s and keeps its memory.
func (s *Sources) Reset() {
	clear(s.candidateList)
	clear(s.spare)
	clear(s.names)
	clear(s.heads)
	*s = Sources{candidateList: s.candidateList[:0], spare: s.spare[:0], order: s.order[:0], names: s.names[:0], heads: s.heads[:0]} // stated belongs to the page
}

func (s *Sources) add(c candidate) {
	if len(s.candidateList) < maxCandidates && len(c.value) <= maxValue {
		s.candidateList = append(s.candidateList, c)
		s.sorted = false
	}
}

// Meta records a meta element: its name, property, itemprop or http-equiv, and its content with
// references.
func (s *Sources) Meta(name, content string) {
	if content == "" {
		return
	}
	f, ok := metaName(name)
	if !ok {
		s.optout = optout.Append(s.optout, optout.Meta(name, truncate(content, maxValue), optout.Agent)...)
		return
	}
	s.add(candidate{field: f.field, rank: f.rank, value: content})
	s.state(f.field, content)
	switch f.field {
	case author:
		s.authorKnown = s.authorKnown || f.rank <= authorMeta && strings.IndexByte(content, ' ') > 0
	case published:
		s.dateKnown = s.dateKnown || f.rank <= dateMeta
	}
}

// Translated records the name of a mark of machine translation.
func (s *Sources) Translated(mark string) { s.translated = translated.Append(s.translated, mark) }

// metaName returns the field and rank of a name of a meta element.
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

// HTMLLang records the lang attribute of the html element.
func (s *Sources) HTMLLang(v string) { s.add(candidate{field: lang, value: v}) }

// OwnLang records the attribute hreflang of a link to the page itself.
func (s *Sources) OwnLang(v string) { s.add(candidate{field: lang, rank: 2, value: v}) }

// Link records a link element.
func (s *Sources) Link(rel, href string) {
	if f, ok := relOf(rel); ok && href != "" && f.field != author {
		s.add(candidate{field: f.field, rank: f.rank, value: href})
	}
}

// Title records the content of a title element. The first one with text counts.
func (s *Sources) Title(content string) {
	s.add(candidate{field: title, rank: titleTag, value: truncate(content, 2000)})
}

// Script records a script of type application/ld+json.
func (s *Sources) Script(content string) {
	if s.scripts++; s.scripts > maxScripts {
		return
	}
	from := len(s.candidateList)
	s.addJSONLD(content[:min(len(content), maxScript)])
	for i := range s.candidateList[from:] {
		switch c := &s.candidateList[from+i]; {
		case c.field == author && c.rank == authorLinked:
			s.authorKnown = s.authorKnown || isFullName(c.value) && !s.isSite(c.value)
		case c.field == published:
			s.dateKnown = s.dateKnown || c.rank <= dateMeta
		}
	}
}

// isSite reports whether a name is the name of the site.
func (s *Sources) isSite(name string) bool {
	for i := range s.candidateList {
		if c := &s.candidateList[i]; c.field == site && strings.EqualFold(c.value, name) {
			return true
		}
	}
	return false
}

// settled reports whether author and date are known well enough to ignore class names, ids and
// links.
func (s *Sources) settled() bool { return s.authorKnown && s.dateKnown }

// Heading records a heading of level 1. Hints are searched for in the 300 elements after the last
// one.
func (s *Sources) Heading() { s.hintLimit = s.elements + hintRange }

const hintRange = 300

// Element is a start tag in the body.
type Element struct {
	Name                              string // of the element, any case
	ItemProp, Rel, Class, ID          string
	Datetime, Content, Href, Property string
	PubDate                           bool // has the attribute pubdate
	End                               int  // byte after the tag
}

// Ignores counts an element with a class, an id or an address, if they cannot mark metadata at this
// place, and reports whether they cannot. Other elements must be recorded.
func (s *Sources) Ignores(href string) bool {
	if !s.settled() && (s.hintLimit == 0 || s.elements < s.hintLimit) || href != "" && isCCLink(href) {
		return false
	}
	s.elements++
	return true
}

// Element records an element that may hold metadata by its itemprop, property, rel, class or id, or
// as a time element.
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
	if e.Href != "" && isCCLink(e.Href) && len(e.Href) < maxValue && ccLicense(e.Href) != "" {
		s.ccLink = e.Href
	}
	isTime := len(e.Name) == 4 && strings.EqualFold(e.Name, "time")
	s.elements++
	if isTime && dated || s.settled() || s.hintLimit > 0 && s.elements > s.hintLimit {
		return
	}
	if e.Href != "" && !s.authorKnown && isProfile(e.Href) {
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

// sort sorts the candidates by field and rank, otherwise in the order in which they were added.
func (s *Sources) sort() {
	s.order = s.order[:0]
	for i := range s.candidateList {
		c := &s.candidateList[i]
		s.order = append(s.order, uint32(c.field)<<24|uint32(c.rank)<<16|uint32(i))
	}
	slices.Sort(s.order)
	s.spare = s.spare[:0]
	for _, k := range s.order {
		s.spare = append(s.spare, s.candidateList[k&0xFFFF])
	}
	s.candidateList, s.spare = s.spare, s.candidateList
	s.sorted = true
}

// candidates returns the candidates of a field, best first.
func (s *Sources) candidates(f field) []candidate {
	if !s.sorted {
		s.sort()
	}
	i := 0
	for i < len(s.candidateList) && s.candidateList[i].field < f {
		i++
	}
	j := i
	for j < len(s.candidateList) && s.candidateList[j].field == f {
		j++
	}
	return s.candidateList[i:j]
}

// text returns the value of c: the unescaped attribute, or the text of the element.
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
