package extract

import (
	"bytes"
	"net/url"
	"strings"
	"unicode/utf8"

	"chaffinch/page"
)

// maxNoteRef is the most characters of a reference to a footnote.
const maxNoteRef = 6

// noteID returns the id that the current start tag, an a element with address href, links to if it
// is a reference to a footnote or the link back; "" for other links. Such a link is within the
// page, and its text is a number, a symbol or a short word that is raised, in brackets, or called a
// note by class or role.
func (s *scan) noteID(href string) string {
	id := s.inPage(href)
	if id == "" {
		return ""
	}
	text, ok := s.linkText()
	if !ok {
		return ""
	}
	inner, raised := withoutTags(text)
	text = strings.TrimSpace(inner)
	bare := strings.Trim(text, "[]()*\u2020\u2021\u00a7 ")
	if text == "" || utf8.RuneCountInString(text) > maxNoteRef || strings.ContainsAny(bare, " /") {
		return ""
	}
	raised = raised || s.stack[len(s.stack)-1].tag == tagSup || s.shown.open && bytes.HasSuffix(s.shown.buf[s.shown.from:], []byte("["))
	if raised || bare != text || strings.Trim(bare, "0123456789") == "" || s.saysNote() {
		return id
	}
	return ""
}

// wantNote records that a reference links to the element with this id.
func (s *scan) wantNote(id string) {
	n := &s.inlines
	if n.notes == nil {
		n.notes = map[string]bool{}
	}
	if _, found := n.notes[id]; !found {
		n.notes[id] = true
	}
}

// anchor records where element e begins if a reference to a footnote links to its id or, for an a
// element, its name. The first element with the id counts.
func (s *scan) anchor(e *element) {
	id := e.id
	if id == "" && e.tag == tagA {
		id = s.lex.attrs.value(attrName)
	}
	if id == "" || !s.inlines.notes[id] || s.muted > 0 || s.hidden > 0 || s.w != &s.shown {
		return
	}
	s.inlines.notes[id] = false
	s.markPoint(page.Anchor, id, "")
}

// withoutTags returns a short piece of HTML without tags, and whether one of the tags is sup.
func withoutTags(html string) (text string, sup bool) {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(html, "<")
		b.WriteString(before)
		if !ok {
			return b.String(), sup
		}
		sup = sup || hasFold(rest, "sup")
		if _, html, ok = strings.Cut(rest, ">"); !ok {
			return b.String(), sup
		}
	}
}

// inPage returns the id of the element of this page that href links to; "" if it links elsewhere.
func (s *scan) inPage(href string) string {
	if strings.IndexByte(href, '#') < 0 && (strings.IndexByte(href, '&') < 0 || !strings.Contains(href, "&num;")) { // a reference to "#"
		return ""
	}
	at, id, ok := strings.Cut(collapse(href, true), "#")
	if !ok || id == "" || at != "" && at != s.inlines.pageURL && at != strings.TrimRight(s.inlines.pageURL, "/") {
		return ""
	}
	if u, err := url.PathUnescape(id); err == nil {
		return u
	}
	return id
}

// saysNote reports whether an attribute of the current start tag marks the link as a reference to a
// note.
func (s *scan) saysNote() bool {
	for _, name := range [...]string{"class", "role", "rel", "epub:type", "data-type", "id"} {
		v, _ := s.lex.attrs.named(name)
		if v = strings.ToLower(v); strings.Contains(v, "footnote") || strings.Contains(v, "noteref") || strings.Contains(v, "endnote") || strings.HasPrefix(v, "fnref") {
			return true
		}
	}
	return false
}

// checkbox records the input element that is the current token if it is the check box of a list
// item. A named check box is a field of a form.
func (s *scan) checkbox() {
	if s.muted > 0 || s.hidden > 0 {
		return
	}
	typ := s.lex.attrs.value(attrType)
	if _, field := s.lex.attrs.get(attrName); field || !strings.EqualFold(typ, "checkbox") {
		return
	}
	for i := len(s.stack) - 1; i > 0 && i > len(s.stack)-5; i-- {
		if s.stack[i].tag != tagLi {
			continue
		}
		state := ""
		if _, ok := s.lex.attrs.named("checked"); ok {
			state = "x"
		}
		s.markPoint(page.Checkbox, "", state)
		return
	}
}
