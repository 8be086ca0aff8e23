package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// seam holds the inline tags between two adjacent pieces of text. Style sheets may show a gap there
// ("<span class=day>Tonight</span><span class=meal>Course: Main"); [scan.showsGap] decides.
type seam struct {
	crossed      bool
	gap          bool   // something that is never part of a word is between them
	code, codes  bool   // code ends here; other code begins after it
	raised       bool   // sub or sup begins or ends
	note         bool   // sup begins
	ended, begun box    // the last box that ends, the first that begins
	parentClass  string // classes of the element in which the first box begins
	linkAddress  string
	linked       bool // a link ends; from is its address
}

// box is an inline element that a style sheet may show as a separate box; its tag is 0 if there is
// none.
type box struct {
	tag         tagID
	name, class string
}

// boxOf returns e as a box: a link, a custom element, or an element with a class. Elements for
// words and phrases without a class are no boxes.
func boxOf(e *element) box {
	switch {
	case e.tag.has(isPhrase) && e.class == "", e.tag.has(isCode), e.tag == tagUnknown && e.class == "" && strings.IndexByte(e.name, '-') < 0:
		return box{}
	case e.tag == tagUnknown:
		return box{tagCustom, e.name, e.class}
	}
	return box{e.tag, "", e.class}
}

// tagCustom is the tag of all unknown elements in a box.
const tagCustom = 255

// followsText reports whether a tag at this place directly follows shown text.
func (s *scan) followsText() bool {
	return s.w.open && s.w.pend == pendNone && s.muted == 0
}

// seamBegin records the start of the inline element e.
func (s *scan) seamBegin(e *element) {
	if !s.followsText() {
		return
	}
	m := &s.w.seam
	m.crossed = true
	if e.link && m.linked && e.href != m.linkAddress {
		m.gap = true
	}
	m.gap = m.gap || e.gap
	if m.parentClass == "" && len(s.stack) > 0 {
		m.parentClass = s.stack[len(s.stack)-1].class
	}
	switch e.tag {
	case tagSup:
		m.raised, m.note = true, true
	case tagSub:
		m.raised = true
	default:
		if m.code && e.tag.has(isCode) {
			m.codes = true
		}
		if m.begun.tag == 0 {
			m.begun = boxOf(e)
		}
	}
}

// seamEnd records the end of the inline element e.
func (s *scan) seamEnd(e *element) {
	if !s.followsText() {
		return
	}
	m := &s.w.seam
	m.crossed = true
	m.gap = m.gap || e.gap
	switch {
	case e.tag == tagSup, e.tag == tagSub:
		m.raised = true
	case e.tag.has(isCode):
		m.code = true
	default:
		if b := boxOf(e); b.tag != 0 {
			m.ended = b
		}
		if e.link {
			m.linked, m.linkAddress = true, e.href
		}
	}
}

// seamGap records an image, a form control or the like.
func (s *scan) seamGap() {
	if s.w.pend == pendBreak {
		s.w.pend = pendBlank // text follows something else
	}
	if s.followsText() {
		s.w.seam.crossed, s.w.seam.gap = true, true
	}
}

// showsGap reports whether browsers show a gap between the text of the open block and text, which are
// adjacent in the source except for the tags of the seam. The rules were measured on pages whose
// text people have copied: docs/explanation/extract.md.
func (s *scan) showsGap(text string) bool {
	m := &s.w.seam
	if s.verbatim > 0 || (m.code || s.code > 0) && !m.codes {
		return false
	}
	left := s.w.buf[s.w.from:]
	a, n := utf8.DecodeLastRune(left)
	before, _ := utf8.DecodeLastRune(left[:len(left)-n])
	b, n := utf8.DecodeRuneInString(text)
	next, _ := utf8.DecodeRuneInString(text[n:])
	if unspaced(a) || unspaced(b) {
		return false
	}
	two := m.ended.tag != 0 && m.begun.tag != 0
	one := m.ended.tag != 0 || m.begun.tag != 0
	switch wordA, wordB := runes.IsWord(a), runes.IsWord(b); {
	case m.raised:
		return m.note && wordB && unicode.IsDigit(b) && endsLower(left)
	case wordA && wordB:
		return m.wordsApart(before, a, b, next)
	case wordB:
		return (m.gap || one) && endsPhrase(before, a, b)
	case wordA:
		return (m.gap || two) && beginsPhrase(b, next)
	}
	return false
}

// wordsApart reports whether two words are separate: before and a end the first, b and next begin the
// second.
func (m *seam) wordsApart(before, a, b, next rune) bool {
	two := m.ended.tag != 0 && m.begun.tag != 0
	one := m.ended.tag != 0 || m.begun.tag != 0
	long := runes.IsWord(before)
	switch {
	case !long && !unicode.IsDigit(a) && !unicode.IsDigit(b) && !unicode.IsUpper(b):
		return false // a drop cap
	case m.gap, m.codes:
		return true
	case long && (runes.IsWord(next) || unicode.IsDigit(b)) && m.hasClassGap(): // single letters may belong to a word that is animated
		return true
	case long && unicode.IsLower(a) && unicode.IsUpper(b):
		return one
	case !two:
		return false
	case unicode.IsDigit(a) != unicode.IsDigit(b):
		return long || unicode.IsDigit(a)
	case unicode.IsUpper(before) && unicode.IsUpper(a) && unicode.IsUpper(b) && unicode.IsLower(next):
		return true
	}
	return long && (m.ended.differs(m.begun) || unicode.IsDigit(a) && m.ended.tag != m.begun.tag)
}

// hasClassGap reports whether utility classes leave a gap between the boxes.
func (m *seam) hasClassGap() bool {
	return m.ended.class != "" && boxSides(m.ended.class)&sideEnd != 0 ||
		m.begun.class != "" && boxSides(m.begun.class)&sideBegin != 0 || m.parentClass != "" && separatesChildren(m.parentClass)
}

// endsPhrase reports whether a, after before, ends a phrase that b does not continue.
func endsPhrase(before, a, b rune) bool {
	switch a {
	case '.', ',':
		return unicode.IsUpper(b) && !unicode.IsDigit(before)
	case ':':
		return before != ':' && !(unicode.IsDigit(before) && unicode.IsDigit(b))
	}
	return strings.ContainsRune("!?;)]”»…%|", a)
}

// beginsPhrase reports whether b, before next, begins a new phrase.
func beginsPhrase(b, next rune) bool {
	if b == '(' || b == '[' {
		return unicode.IsDigit(next) || unicode.IsUpper(next)
	}
	return strings.ContainsRune("$€£¥#@•|", b)
}

// differs reports whether the classes of two boxes mark them as different things. Short class names
// ("c12", "T1") do not count, and boxes that share a class belong to one text.
func (a box) differs(b box) bool {
	telling := func(class string) bool {
		for c := range strings.FieldsSeq(class) {
			if len(c) >= 5 {
				return true
			}
		}
		return false
	}
	for c := range strings.FieldsSeq(a.class) {
		for d := range strings.FieldsSeq(b.class) {
			if c == d {
				return false
			}
		}
	}
	return telling(a.class) && telling(b.class)
}

// endsLower reports whether text ends in four lower-case letters, as the word before the number of
// a note does, and units ("km") do not.
func endsLower(text []byte) bool {
	for range 4 {
		r, n := utf8.DecodeLastRune(text)
		if !unicode.IsLower(r) {
			return false
		}
		text = text[:len(text)-n]
	}
	return true
}
