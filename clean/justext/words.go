package justext

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A word is a run of letters, marks and digits; an apostrophe between two of
// them belongs to it ("don't", "l'eau"), any other sign ends it. Joiners and
// soft hyphens inside a word are passed over. Words are compared in lower
// case, with the typewriter apostrophe.

// Byte classes of ASCII.
const (
	other = iota
	inWord
	apostrophe
)

var ascii = func() (t [128]uint8) {
	for c := range t {
		if r := rune(c); unicode.IsLetter(r) || unicode.IsDigit(r) {
			t[c] = inWord
		}
	}
	t['\''] = apostrophe
	return t
}()

// wide holds, for the basic plane, which characters belong to words, and the
// lower case of the first of them: a look-up of unicode's tables costs as
// much as all the rest of the count.
type wide struct {
	word  [1 << 16 / 64]uint64
	lower [lowered]uint16
}

const lowered = 0x600 // Latin, Greek, Cyrillic, Armenian

var wideTable = sync.OnceValue(func() *wide {
	t := new(wide)
	for _, table := range []*unicode.RangeTable{unicode.L, unicode.M, unicode.Nd} {
		for _, r := range table.R16 {
			for c := int(r.Lo); c <= int(r.Hi); c += int(r.Stride) {
				t.word[c>>6] |= 1 << (c & 63)
			}
		}
	}
	for c := range t.lower {
		t.lower[c] = uint16(unicode.ToLower(rune(c)))
	}
	return t
})

func (t *wide) isWord(r rune) bool {
	if r < 1<<16 {
		return t.word[r>>6]&(1<<(r&63)) != 0
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

func (t *wide) toLower(r rune) rune {
	switch {
	case r < lowered:
		return rune(t.lower[r])
	case 0x3000 <= r && r < 0xA640: // East Asian: no cases
		return r
	}
	return unicode.ToLower(r)
}

// isApostrophe reports whether r stands for an apostrophe in a word.
func isApostrophe(r rune) bool { return r == '’' || r == 'ʼ' || r == '\'' }

// isJoiner reports whether r may stand in a word without being part of it:
// soft hyphen, zero width space, joiner and non-joiner, word joiner.
func isJoiner(r rune) bool {
	return r == 0xAD || 0x200B <= r && r <= 0x200D || r == 0x2060
}

// next finds the first word of text from byte i on, appends its folded form
// to dst[:0] and returns it with the byte after it; the word is empty at the
// end of text.
func (t *wide) next(dst []byte, text string, i int) (word []byte, end int) {
	dst = dst[:0]
	pending := -1 // length of dst before an apostrophe that may turn out to be none
	for i < len(text) {
		c := text[i]
		if c < utf8.RuneSelf {
			switch {
			case ascii[c] == inWord:
				if c-'A' < 26 {
					c += 'a' - 'A'
				}
				dst = append(dst, c)
				pending = -1
			case ascii[c] == apostrophe && pending < 0 && len(dst) > 0:
				pending = len(dst)
				dst = append(dst, '\'')
			case len(dst) > 0:
				return t.cut(dst, pending), i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == 'ʼ' && (pending >= 0 || len(dst) == 0): // a letter for unicode, an apostrophe here
			if len(dst) > 0 {
				return t.cut(dst, pending), i
			}
		case isApostrophe(r) && pending < 0 && len(dst) > 0:
			pending = len(dst)
			dst = append(dst, '\'')
		case r != utf8.RuneError && t.isWord(r):
			dst = utf8.AppendRune(dst, t.toLower(r))
			pending = -1
		case isJoiner(r):
		case len(dst) > 0:
			return t.cut(dst, pending), i
		}
		i += n
	}
	return t.cut(dst, pending), i
}

// cut drops an apostrophe at the end of a word.
func (t *wide) cut(dst []byte, pending int) []byte {
	if pending >= 0 {
		return dst[:pending]
	}
	return dst
}

// countWords counts the words of text and those that list has. It allocates
// nothing but the scratch space that it keeps.
func (m *measurer) countWords(text string, list *Stoplist) (words, stops int) {
	t := wideTable()
	for i := 0; i < len(text); {
		var w []byte
		w, i = t.next(m.scratch, text, i)
		if len(w) == 0 {
			break
		}
		m.scratch = w
		words++
		if list != nil && list.has(w) {
			stops++
		}
	}
	return words, stops
}

// countFields does the same for words that end at white space only.
func (m *measurer) countFields(text string, list *Stoplist) (words, stops int) {
	for f := range strings.FieldsFuncSeq(text, isSpace) {
		words++
		if list == nil {
			continue
		}
		m.scratch = m.scratch[:0]
		for _, r := range f {
			m.scratch = utf8.AppendRune(m.scratch, unicode.ToLower(r))
		}
		if list.has(m.scratch) {
			stops++
		}
	}
	return words, stops
}

// isSpace reports what Python takes for white space: that of Unicode and four
// separators among the control characters.
func isSpace(r rune) bool { return unicode.IsSpace(r) || 0x1C <= r && r <= 0x1F }

// fold returns the words of s in folded form, joined by blanks: for a single
// word, the form under which a stop list has it.
func fold(s string) string {
	var out, w []byte
	for i := 0; i < len(s); {
		w, i = wideTable().next(w, s, i)
		if len(w) == 0 {
			break
		}
		if len(out) > 0 {
			out = append(out, ' ')
		}
		out = append(out, w...)
	}
	return string(out)
}
