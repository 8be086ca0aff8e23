package extract

import "strings"

// style reports whether the current start tag, of element t, hides its content,
// and whether its style parts it from the text beside it.
func (s *scan) style(t tagID) (hidden, gap bool) {
	open, popover, styled := false, false, false
	for i := range s.lex.attrs {
		a := &s.lex.attrs[i]
		switch len(a.name) {
		case 4:
			open = open || is(a.name, "open")
		case 5:
			if !styled && is(a.name, "style") {
				styled = true
				if hidden, gap = readStyle(a.val); hidden {
					return true, false
				}
			}
		case 6:
			if is(a.name, "hidden") && !is(a.val, "until-found") {
				return true, false
			}
		case 7:
			popover = popover || is(a.name, "popover")
		}
	}
	return popover || t == tagDialog && !open, gap
}

// readStyle tells whether an inline style says display:none or
// visibility:hidden, and whether it makes a box that stands apart from the text
// beside it.
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
		case is(name, "display"):
			if hasFold(val, "none") {
				return true, false
			}
			gap = gap || hasFold(val, "block") || hasFold(val, "flex") || hasFold(val, "grid") || hasFold(val, "table")
		case is(name, "visibility"):
			if hasFold(val, "hidden") {
				return true, false
			}
		case is(name, "position"):
			gap = gap || hasFold(val, "absolute")
		case is(name, "float"):
			gap = gap || hasFold(val, "left") || hasFold(val, "right")
		}
	}
	return false, gap
}

// is compares a name in any case, of which there is one; hasFold does so with the beginning of s.
func is(s, lower string) bool {
	return len(s) == len(lower) && (s == lower || s[0]|0x20 == lower[0] && strings.EqualFold(s, lower))
}
func hasFold(s, lower string) bool {
	return len(s) >= len(lower) && strings.EqualFold(s[:len(lower)], lower)
}

// hide begins hidden text. Inside a shown block it is written aside, so that
// the block is not torn.
func (s *scan) hide(block bool) {
	s.hidden++
	if block {
		return
	}
	if s.hidden == 1 && s.shown.open {
		s.aside = 1
		s.w = &s.veiled
	}
}

// unhide ends what hide began.
func (s *scan) unhide() {
	if s.hidden--; s.hidden > 0 {
		return
	}
	if s.aside == 1 {
		s.finish(&s.veiled)
		s.aside = 0
		s.w = &s.shown
		return
	}
	s.finish(&s.shown)
}

// leastRevealed is the bytes of hidden text that are shown if the page shows nearly nothing else.
const leastRevealed = 500

// reveal shows the hidden blocks of a page that hides nearly all its text: it
// waits for a script to show it.
func (s *scan) reveal() {
	hidden := 0
	for i := range s.done {
		if b := &s.done[i]; b.hidden {
			hidden += b.textEnd - b.textStart
		}
	}
	if all := len(s.shown.buf); hidden < leastRevealed || hidden < all-all/20 {
		return
	}
	for i := range s.done {
		s.done[i].hidden = false
	}
}

// unfolds reports whether the current start tag, which hides its content, is
// that of something that readers come to see all the same: a panel behind a
// tab, a section that folds, or a part of the page that arrives late and that
// a script of React moves into its place.
func (s *scan) unfolds() bool {
	for i := range s.lex.attrs {
		a := &s.lex.attrs[i]
		switch {
		case strings.EqualFold(a.name, "id"):
			if strings.HasPrefix(a.val, "S:") {
				return true
			}
		case strings.EqualFold(a.name, "role"):
			if strings.EqualFold(a.val, "tabpanel") {
				return true
			}
		case strings.EqualFold(a.name, "class"):
			if strings.Contains(a.val, "collaps") {
				return true
			}
		}
	}
	return false
}
