package extract

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/runes"
	"chaffinch/internal/swar"
	"chaffinch/page"
)

// Classes of bytes and characters.
const (
	plain   = iota
	space   // white space
	ref     // "&", which may begin a character reference
	lead    // first byte of characters that classOf must classify
	control // dropped
)

var class = func() (t [256]uint8) {
	for c := range 0x20 {
		t[c] = control
	}
	for _, c := range " \t\n\r\f\v" {
		t[c] = space
	}
	t[0x7F] = control
	t['&'] = ref
	for _, c := range []byte{0xC2, 0xE1, 0xE2, 0xE3, 0xEF} {
		t[c] = lead
	}
	return t
}()

// classOf returns the class of r: space, control, or plain. The class space includes the no-break
// and ideographic spaces. Invisible characters (soft hyphen, zero-width space, word joiner, byte
// order mark, controls) are control. The joiners U+200C and U+200D and the directional marks are
// plain, since they change how text reads.
func classOf(r rune) uint8 {
	switch {
	case r < 0x80:
		if c := class[r]; c == space || c == control {
			return c
		}
		return plain
	case r == 0x85, r == 0xA0, r == 0x1680, 0x2000 <= r && r <= 0x200A,
		r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x3000:
		return space
	case r < 0xA0, r == 0xAD, r == 0x180E, r == 0x200B, r == 0x2060, r == 0xFEFF, 0xFFF9 <= r && r <= 0xFFFB, r == 0xFFFE, r == 0xFFFF:
		return control
	}
	return plain
}

// text adds src[from:to] to the open block. The first visible character begins a block. If raw is
// set references are not decoded.
func (s *scan) text(from, to int, raw bool) {
	if s.muted > 0 {
		return
	}
	src := s.lex.src
	w := s.w
	verbatim := s.preserves()
	for i := from; i < to; {
		switch c := class[src[i]]; c {
		case plain:
			j := 0
			if verbatim {
				for j = i + 1; j < to && class[src[j]] == plain; {
					j++
				}
			} else {
				j = plainRun(src, i, to)
			}
			s.show(src[i:j], i, j)
			w = s.w
			i = j
		case space:
			if s.verbatim > 0 {
				n := i + 1
				for n < to && class[src[n]] == space {
					n++
				}
				s.preSpace(src[i:n])
				i = n
				continue
			}
			n := spaceRun(src, i, to)
			run := src[i:n]
			i = n
			if !w.open || w.pend >= pendBreak { // or after a space that shows in any case
				continue
			}
			pend := pendBlank
			if run[0] == '\n' || strings.IndexByte(run, '\n') >= 0 || strings.IndexByte(run, '\r') >= 0 {
				pend = pendBreak
			}
			if w.pend < pend {
				if w.pend == pendNone {
					w.pendInLink = s.links > 0
				}
				w.pend = pend
			}
		case ref:
			if raw {
				s.show("&", i, i+1)
				i++
				continue
			}
			val, n := decodeRef(src[i:to])
			if n == 0 {
				s.show("&", i, i+1)
				i++
				continue
			}
			for k, r := range val {
				s.char(r, val[k:k+utf8.RuneLen(r)], i, i+n)
			}
			i += n
		case lead:
			r, n := utf8.DecodeRuneInString(src[i:to])
			s.char(r, src[i:i+n], i, i+n)
			i += n
		default:
			i++
		}
	}
}

// spaceRun returns the end of the run of white space that begins at i; at most to.
func spaceRun(src string, i, to int) int {
	for i++; i+8 <= to; i += 8 {
		x := swar.Load(src[i:])
		if others := swar.Tops &^ (swar.Within(x, '\t', '\r') | swar.Within(x, ' ', ' ')); others != 0 {
			return i + bits.TrailingZeros64(others)/8
		}
	}
	for i < to && class[src[i]] == space {
		i++
	}
	return i
}

// plainRun returns the end of the run of plain bytes and single spaces between them that begins at
// i with a plain byte; at most to.
func plainRun(src string, i, to int) int {
	j, blank := i, uint64(0) // the top bit of the lowest byte is set if a space precedes j
	for j < to && j+8 <= len(src) {
		// Eight bytes: the top bits of the bytes that end a run of ASCII, as a space after a space
		// does. Where an addition carries or borrows, a lower byte has ended the run.
		x := swar.Load(src[j:])
		y, z := x^'&'*swar.Ones, x^' '*swar.Ones
		blanks := ^((z&(0x7F*swar.Ones) + 0x7F*swar.Ones) | z) & swar.Tops
		ends := (x+swar.Ones|(x-' '*swar.Ones)&^x|(y-swar.Ones)&^y)&swar.Tops | blanks&(blanks<<8|blank)
		if ends == 0 {
			j, blank = j+8, blanks>>56
			continue
		}
		if j += bits.TrailingZeros64(ends) / 8; j >= to || src[j] < utf8.RuneSelf || class[src[j]] != plain {
			return trimBlank(src, i, min(j, to))
		}
		for j < to && (class[src[j]] == plain || src[j] == ' ' && j+1 < to && src[j+1] >= utf8.RuneSelf && class[src[j+1]] == plain) {
			j++ // up to a space before ASCII
		}
		if j < to && src[j] != ' ' {
			return j
		}
		blank = 0
	}
	for j < to && (class[src[j]] == plain || src[j] == ' ' && src[j-1] != ' ') {
		j++
	}
	return trimBlank(src, i, min(j, to))
}

// trimBlank returns the end of src[i:j] without a trailing space.
func trimBlank(src string, i, j int) int {
	if j > i && src[j-1] == ' ' {
		j--
	}
	return j
}

// char adds the character r, written as text.
func (s *scan) char(r rune, text string, from, to int) {
	switch classOf(r) {
	case space:
		if r < ' ' && s.verbatim > 0 {
			s.preSpace(text)
			return
		}
		if s.w.open && s.w.pend < pendGap {
			if s.w.pend == pendNone {
				s.w.pendInLink = s.links > 0
			}
			s.w.pend = pendGap
		} else if s.w.open && s.preserves() {
			s.w.buf = append(s.w.buf, ' ')
		}
	case plain:
		s.show(text, from, to)
	}
}

// preserves reports whether white space shows unchanged in the open block, or in a block that
// begins here: in code. In other blocks of a pre, such as paragraphs and cells, line breaks show.
func (s *scan) preserves() bool {
	switch {
	case s.verbatim == 0:
		return false
	case s.w.open:
		return page.Kind(s.w.block.kind) == page.Code
	}
	return s.stack[len(s.stack)-1].kind == page.Code
}

// preSpace adds a run of white space in a pre.
func (s *scan) preSpace(run string) {
	keep := s.preserves()
	for i := range len(run) {
		switch c := run[i]; {
		case c == '\r' && i+1 < len(run) && run[i+1] == '\n':
		case keep:
			s.verbatimSpace(c)
		case c != ' ' && c != '\t':
			s.lineBreak()
		case s.w.open && s.w.pend == pendNone:
			s.w.pend, s.w.pendInLink = pendBlank, s.links > 0
		}
	}
}

// verbatimSpace adds one character of white space to code.
func (s *scan) verbatimSpace(c byte) {
	w := s.w
	if !w.open {
		if s.cfg.Inline {
			s.inlines.addIndent(c)
		}
		return
	}
	w.flushPending(s)
	if c != ' ' && c != '\t' {
		c = '\n'
	}
	w.buf = append(w.buf, c)
}

func (w *writer) flushPending(s *scan) {
	switch w.pend {
	case pendBlank, pendBreak, pendGap:
		w.buf = append(w.buf, ' ')
		if w.pendInLink && s.links > 0 {
			w.block.linkChars++
		}
	case pendLine:
		w.buf = append(w.buf, '\n')
	}
	w.pend = pendNone
}

// joins reports whether the line break before text is invisible because it is between two Chinese
// or Japanese characters (CSS Text 3, section 4.1.3).
func (w *writer) joins(text string) bool {
	if text[0] < utf8.RuneSelf {
		return false
	}
	b, _ := utf8.DecodeRuneInString(text)
	a, _ := utf8.DecodeLastRune(w.buf[w.from:])
	return runes.IsWide(a) && runes.IsWide(b)
}

// show adds text, which is at src[from:to], to the open block, or begins a block with it.
func (s *scan) show(text string, from, to int) {
	w := s.w
	if !w.open {
		w.open = true
		w.pend = pendNone
		w.from, w.seam = len(w.buf), seam{}
		s.newBlock(&w.block, from)
		if s.cfg.Inline && w == &s.shown {
			s.beginMarks()
		}
		w.depth = len(s.stack) - 1
		w.lowest = w.depth
	}
	if w.seam.crossed {
		if w.pend == pendNone && s.showsGap(text) {
			w.pend, w.pendInLink = pendBlank, false
		}
		w.seam = seam{}
	}
	if w.lowest < w.depth {
		s.widenElement(w)
	}
	if w.pend != pendNone {
		if w.pend == pendBreak && w.joins(text) {
			w.pend = pendNone
		}
		w.flushPending(s)
	}
	if s.links > 0 {
		w.block.linkChars += utf8.RuneCountInString(text)
	}
	if s.bold > 0 {
		w.block.boldChars += utf8.RuneCountInString(text)
	}
	w.buf = append(w.buf, text...)
	w.block.end = to
	s.lineBreaks = 0
}

// isPlain reports whether s consists of visible ASCII characters and contains no references.
func isPlain(s string) bool {
	i := 0
	for ; i+8 <= len(s); i += 8 {
		// The top bits of the bytes that are not plain; after one of them also of others.
		x := swar.Load(s[i:])
		if (x|(x+swar.Ones)|(x-('!'*swar.Ones))&^x|swar.Find(x, '&'))&swar.Tops != 0 {
			return false
		}
	}
	for ; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf || class[s[i]] != plain {
			return false
		}
	}
	return true
}

// isCollapsed reports whether s consists of visible ASCII characters, with single spaces between
// them, and contains no references. Most attributes do.
func isCollapsed(s string) bool {
	blank := true
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ' && !blank:
			blank = true
		case c < utf8.RuneSelf && class[c] == plain:
			blank = false
		default:
			return false
		}
	}
	return !blank || s == ""
}

// collapse returns s, the text of a title or an attribute, with white space collapsed and references
// decoded.
func collapse(s string, attribute bool) string {
	if isCollapsed(s) {
		return s
	}
	var short [256]byte
	return string(appendCollapsed(short[:0], s, attribute))
}

// appendCollapsed appends what collapse returns to b.
func appendCollapsed(b []byte, s string, attribute bool) []byte {
	start, blank := len(b), false // blank: white space precedes the next text
	for i := 0; i < len(s); {
		from := i
		for i < len(s) && s[i] < utf8.RuneSelf && class[s[i]] == plain {
			i++
		}
		if i > from {
			b, blank = appendText(b, s[from:i], blank), false
			continue
		}
		if s[i] == '&' && (!attribute || mayBeClosed(s[i:])) {
			if val, n := decodeRef(s[i:]); n > 0 && (!attribute || s[i+n-1] == ';') {
				for k, r := range val {
					switch classOf(r) {
					case space:
						blank = len(b) > start
					case plain:
						b, blank = appendText(b, val[k:k+utf8.RuneLen(r)], blank), false
					}
				}
				i += n
				continue
			}
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch classOf(r) {
		case space:
			blank = len(b) > start
		case plain:
			text := s[i : i+n]
			if r == utf8.RuneError {
				text = "\uFFFD"
			}
			b, blank = appendText(b, text, blank), false
		}
		i += n
	}
	return b
}

// appendText appends text to b, after a space if blank is set.
func appendText(b []byte, text string, blank bool) []byte {
	if blank {
		b = append(b, ' ')
	}
	return append(b, text...)
}
