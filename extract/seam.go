package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// seam is what stands in the page between two pieces of text that touch: the
// inline tags since the last character. Pages that rely on style sheets show a
// gap there ("<span class=day>Tonight</span><span class=meal>Course: Main");
// [scan.apart] tells where.
type seam struct {
	crossed      bool
	gap          bool   // something stands between them that is never part of a word
	code, codes  bool   // code ends here, and other code begins
	raised       bool   // sub or sup begins or ends
	note         bool   // sup begins
	ended, begun box    // the last box that ends, the first that begins
	around       string // classes of the element that the first one begins in
	from         string
	linked       bool // a link ends; from is its address
}

// box is an inline element that a style sheet may show as a box of its own;
// its tag is 0 for none.
type box struct {
	tag         tagID
	name, class string
}

// boxOf returns e as a box: a link, an element of the page's own, or one with a
// class. Without a class the elements for words and phrases are none.
func boxOf(e *element) box {
	switch {
	case e.tag.has(isPhrase) && e.class == "", e.tag.has(isCode), e.tag == tagUnknown && e.class == "" && strings.IndexByte(e.name, '-') < 0:
		return box{}
	case e.tag == tagUnknown:
		return box{tagOwn, e.name, e.class}
	}
	return box{e.tag, "", e.class}
}

// tagOwn stands for all unknown elements in a box.
const tagOwn = 255

// touches reports whether a tag at this place stands right behind text that is
// shown.
func (s *scan) touches() bool {
	return s.w.open && s.w.pend == pendNone && s.muted == 0
}

// seamBegin notes that the inline element e begins.
func (s *scan) seamBegin(e *element) {
	if !s.touches() {
		return
	}
	m := &s.w.seam
	m.crossed = true
	if e.link && m.linked && e.href != m.from {
		m.gap = true
	}
	m.gap = m.gap || e.gap
	if m.around == "" && len(s.stack) > 0 {
		m.around = s.stack[len(s.stack)-1].class
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

// seamEnd notes that the inline element e ends.
func (s *scan) seamEnd(e *element) {
	if !s.touches() {
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
			m.linked, m.from = true, e.href
		}
	}
}

// seamGap notes an image, a form control or the like.
func (s *scan) seamGap() {
	if s.w.pend == pendBreak {
		s.w.pend = pendBlank // text follows something else
	}
	if s.touches() {
		s.w.seam.crossed, s.w.seam.gap = true, true
	}
}

// apart tells whether a gap shows between the text of the open block and
// text, which touch in the source but for the tags of the seam. Measured on pages whose
// text people have copied: docs/explanation/extract.md.
func (s *scan) apart(text string) bool {
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
		return m.words(before, a, b, next)
	case wordB:
		return (m.gap || one) && phraseEnds(before, a, b)
	case wordA:
		return (m.gap || two) && phraseBegins(b, next)
	}
	return false
}

// words tells whether two words are apart: before and a end the left one, b and
// next begin the right one.
func (m *seam) words(before, a, b, next rune) bool {
	two := m.ended.tag != 0 && m.begun.tag != 0
	one := m.ended.tag != 0 || m.begun.tag != 0
	long := runes.IsWord(before)
	switch {
	case !long && !unicode.IsDigit(a) && !unicode.IsDigit(b) && !unicode.IsUpper(b):
		return false // a large initial
	case m.gap, m.codes:
		return true
	case long && (runes.IsWord(next) || unicode.IsDigit(b)) && m.spaced(): // single letters may be those of a word that moves
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
	return long && (m.ended.unlike(m.begun) || unicode.IsDigit(a) && m.ended.tag != m.begun.tag)
}

// spaced tells whether utility classes leave a gap between the boxes.
func (m *seam) spaced() bool {
	return m.ended.class != "" && boxSides(m.ended.class)&sideEnd != 0 ||
		m.begun.class != "" && boxSides(m.begun.class)&sideBegin != 0 || m.around != "" && partsChildren(m.around)
}

// phraseEnds tells whether a, behind before, ends a phrase that b does not go on.
func phraseEnds(before, a, b rune) bool {
	switch a {
	case '.', ',':
		return unicode.IsUpper(b) && !unicode.IsDigit(before)
	case ':':
		return before != ':' && !(unicode.IsDigit(before) && unicode.IsDigit(b))
	}
	return strings.ContainsRune("!?;)]”»…%|", a)
}

// phraseBegins tells whether b, before next, begins something new.
func phraseBegins(b, next rune) bool {
	if b == '(' || b == '[' {
		return unicode.IsDigit(next) || unicode.IsUpper(next)
	}
	return strings.ContainsRune("$€£¥#@•|", b)
}

// unlike tells whether the classes of two boxes say that they hold different
// things: words of a style ("c12", "T1") say nothing, and boxes that share a
// class are of one text.
func (a box) unlike(b box) bool {
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

// endsLower tells whether text ends in four letters of lower case, as what a
// note is set to does, and units ("km") do not.
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
