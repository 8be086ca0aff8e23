package extract

import "strings"

// styleAttributes reports whether the current start tag, of element t, hides its content, and whether its
// style separates it from adjacent text.
func (s *scan) styleAttributes(t tagID) (hidden, gap bool) {
	a := &s.lex.attrs
	if a.has(hiding) {
		if hidden, gap = readStyle(a.value(attrStyle)); hidden {
			return true, false
		}
		if val, ok := a.get(attrHidden); ok && !equalFold(val, "until-found") {
			return true, false
		}
	}
	return a.has(1<<attrPopover) || t == tagDialog && !a.has(1<<attrOpen), gap
}

// hiding holds the attributes that styleAttributes reads the values of.
const hiding = 1<<attrStyle | 1<<attrHidden

// readStyle reports whether an inline style hides the element (display:none or visibility:hidden),
// and whether it makes a box that is separate from adjacent text.
func readStyle(style string) (hidden, gap bool) {
	for len(style) > 0 {
		var decl string
		decl, style, _ = strings.Cut(style, ";")
		name, val, _ := strings.Cut(decl, ":")
		if len(val) == 0 {
			continue
		}
		name, val = strings.TrimSpace(name), strings.TrimSpace(val)
		switch {
		case equalFold(name, "display"):
			if hasFold(val, "none") {
				return true, false
			}
			gap = gap || hasFold(val, "block") || hasFold(val, "flex") || hasFold(val, "grid") || hasFold(val, "table")
		case equalFold(name, "visibility"):
			if hasFold(val, "hidden") {
				return true, false
			}
		case equalFold(name, "position"):
			gap = gap || hasFold(val, "absolute")
		case equalFold(name, "float"):
			gap = gap || hasFold(val, "left") || hasFold(val, "right")
		}
	}
	return false, gap
}

// equalFold reports whether s equals lower, a non-empty name in lower case, without regard to case.
func equalFold(s, lower string) bool {
	return len(s) == len(lower) && (s == lower || s[0]|0x20 == lower[0] && strings.EqualFold(s, lower))
}
func hasFold(s, lower string) bool {
	return len(s) >= len(lower) && strings.EqualFold(s[:len(lower)], lower)
}

// hide begins hidden text. Inside a shown block the text is written to s.hiddenText, so that the block
// is not split.
func (s *scan) hide(block bool) {
	s.hidden++
	if block {
		return
	}
	if s.hidden == 1 && s.shown.open {
		s.hiddenSince = 1
		s.w = &s.hiddenText
	}
}

// unhide ends hidden text.
func (s *scan) unhide() {
	if s.hidden--; s.hidden > 0 {
		return
	}
	if s.hiddenSince == 1 {
		s.finish(&s.hiddenText)
		s.hiddenSince = 0
		s.w = &s.shown
		return
	}
	s.finish(&s.shown)
}

// minRevealed is the fewest bytes of hidden text that reveal shows.
const minRevealed = 500

// reveal shows the hidden blocks of a page that hides nearly all its text until a script runs.
func (s *scan) reveal() {
	hidden := 0
	for i := range s.done {
		if b := &s.done[i]; b.hidden {
			hidden += b.textEnd - b.textStart
		}
	}
	if all := len(s.shown.buf); hidden < minRevealed || hidden < all-all/20 {
		return
	}
	for i := range s.done {
		s.done[i].hidden = false
	}
}

// isExpandable reports whether the current start tag, which hides its content, begins content that
// readers can open: the panel of a tab, a section that collapses, content that React moves into its
// place later, or the source of a formula that MediaWiki shows as an image.
func (s *scan) isExpandable() bool {
	a := &s.lex.attrs
	class := a.value(attrClass)
	return strings.HasPrefix(a.value(attrElementID), "S:") || strings.EqualFold(a.value(attrRole), "tabpanel") ||
		strings.Contains(class, "collaps") || strings.HasPrefix(class, "mwe-math-mathml")
}
