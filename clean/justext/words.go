package justext

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"chaffinch/internal/pytext"
	"chaffinch/internal/runes"
)

// A word is a run of letters, marks and digits. An apostrophe between two of them is part of
// it ("don't", "l'eau"); any other character ends it. Joiners and soft hyphens inside a word
// are skipped. Words are compared in lower case, with the typewriter apostrophe, and with
// the marks of European scripts composed (NFC).

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

// wide holds, for the basic multilingual plane, the characters of words and the lower case
// of the first of them. Lookups in the tables of package unicode would double the time of
// counting.
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
	return runes.IsWord(r)
}

func (t *wide) toLower(r rune) rune {
	switch {
	case r < lowered:
		return rune(t.lower[r])
	case 0x3000 <= r && r < 0xA640: // East Asian scripts without case
		return r
	}
	return unicode.ToLower(r)
}

// isApostrophe reports whether r is an apostrophe inside a word.
func isApostrophe(r rune) bool { return r == '’' || r == 'ʼ' || r == '\'' }

// isJoiner reports whether r is allowed inside a word without being part of it: soft hyphen,
// zero width space, joiner and non-joiner, word joiner.
func isJoiner(r rune) bool {
	return r == 0xAD || 0x200B <= r && r <= 0x200D || r == 0x2060
}

// Words splits text into words in the form of stop lists. The zero value is ready to use. It
// is not safe for concurrent use.
type Words struct {
	word, composed []byte
	marks          bool // the word has marks of Latin, Greek or Cyrillic
}

// Next returns the folded form of the first word of text at or after byte i, and the index
// of the byte after it. The word is valid until the next call. It is empty at the end of
// text.
func (s *Words) Next(text string, i int) (word []byte, end int) {
	t := wideTable()
	s.marks = false
	dst := s.word[:0]
	pending := -1 // length of dst before a possible apostrophe
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
				return s.end(dst, pending), i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == 'ʼ' && (pending >= 0 || len(dst) == 0): // a letter in Unicode, an apostrophe here
			if len(dst) > 0 {
				return s.end(dst, pending), i
			}
		case isApostrophe(r) && pending < 0 && len(dst) > 0:
			pending = len(dst)
			dst = append(dst, '\'')
		case r != utf8.RuneError && t.isWord(r):
			dst = utf8.AppendRune(dst, t.toLower(r))
			pending = -1
			s.marks = s.marks || 0x300 <= r && r < 0x370
		case isJoiner(r):
		case len(dst) > 0:
			return s.end(dst, pending), i
		}
		i += n
	}
	return s.end(dst, pending), i
}

// end drops an apostrophe at the end of a word and composes the word.
func (s *Words) end(word []byte, pending int) []byte {
	s.word = word
	if pending >= 0 {
		word = word[:pending]
	}
	if s.marks {
		s.composed = norm.NFC.Append(s.composed[:0], word...)
		return s.composed
	}
	return word
}

// countWords returns the number of words of text and the number of words in list. It
// allocates only reusable buffers.
func (m *measurer) countWords(text string, list *Stoplist) (words, stops int) {
	for i := 0; i < len(text); {
		var w []byte
		w, i = m.Next(text, i)
		if len(w) == 0 {
			break
		}
		words++
		if list != nil && list.has(w) {
			stops++
		}
	}
	return words, stops
}

// countFields is countWords for words that end at white space only.
func (m *measurer) countFields(text string, list *Stoplist) (words, stops int) {
	for f := range strings.FieldsFuncSeq(text, pytext.IsSpace) {
		words++
		if list == nil {
			continue
		}
		m.word = m.word[:0]
		for _, r := range f {
			m.word = utf8.AppendRune(m.word, unicode.ToLower(r))
		}
		if list.has(m.word) {
			stops++
		}
	}
	return words, stops
}

// extraLength returns the length of text in letters of an alphabet minus its number of
// characters.
func extraLength(text string, chars int) (extra int) {
	if len(text) < 2*chars { // mostly single bytes: few or no such characters
		return 0
	}
	for _, r := range text {
		switch {
		case r < 0x1100:
		case 0x4E00 <= r && r <= 0x9FFF, 0x3400 <= r && r <= 0x4DBF, 0xF900 <= r && r <= 0xFAFF, 0x20000 <= r && r <= 0x3FFFF:
			extra += 2 // Han
		case 0x3040 <= r && r <= 0x30FF, 0xAC00 <= r && r <= 0xD7A3:
			extra++ // kana, hangul syllables
		}
	}
	return extra
}

// fold returns the words of s in folded form, joined by spaces. For a single word this is
// its form in stop lists.
func fold(s string) string {
	var out, w []byte
	var words Words
	for i := 0; i < len(s); {
		w, i = words.Next(s, i)
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
