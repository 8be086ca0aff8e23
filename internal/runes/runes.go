// Package runes answers what several packages ask of a character: whether its
// script sets spaces between words. Each of them has classes of its own for its
// model or measure, and a [Table] remembers them.
package runes

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// unspaced are the scripts that set no spaces between words: first those of
// which each character is a word as far as counting goes, last Tibetan, which
// parts its syllables by a sign.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
	unicode.Tibetan,
}

// IsEastAsian tells whether r is Chinese or Japanese.
func IsEastAsian(r rune) bool { return r >= 0x2e80 && unicode.In(r, unspaced[:3]...) }

// IsUnspaced tells whether r is of a script that sets no spaces between words.
// Tibetan is none of these here.
func IsUnspaced(r rune) bool { return r >= 0x0e00 && unicode.In(r, unspaced[:7]...) }

// IsUnspacedOrTibetan tells the same, with Tibetan.
func IsUnspacedOrTibetan(r rune) bool { return r >= 0x0e00 && unicode.In(r, unspaced...) }

// IsWide reports whether r has the East Asian width W, F or H and is Chinese or Japanese:
// their characters, punctuation and forms of other characters. A line break between two
// of them is no space (CSS Text 3, 4.1.3).
func IsWide(r rune) bool {
	return r >= 0x2e80 && (r >= 0x3000 && r <= 0x30FF || r >= 0xFF00 && r <= 0xFF9F || r >= 0xFFE0 && r <= 0xFFE6 || IsEastAsian(r))
}

// IsWord tells whether r is a letter, a mark or a decimal digit.
func IsWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

// Table remembers what a function says of each character. It is safe for
// concurrent use.
type Table[T any] struct {
	// ASCII holds the first 128 characters.
	ASCII [utf8.RuneSelf]T

	of func(r rune) T
	// planes holds the characters below U+10000 by their upper byte, each filled
	// when it is first needed.
	planes [256]atomic.Pointer[[256]T]
}

// NewTable returns a table of what the function of says, which must say the same
// each time.
func NewTable[T any](of func(r rune) T) *Table[T] {
	t := &Table[T]{of: of}
	for r := range t.ASCII {
		t.ASCII[r] = of(rune(r))
	}
	return t
}

// At returns what the function says of r.
func (t *Table[T]) At(r rune) T {
	if uint32(r) < 0x10000 {
		if p := t.planes[r>>8].Load(); p != nil {
			return p[r&0xFF]
		}
	}
	return t.fill(r)
}

// fill is At for what is not known yet.
func (t *Table[T]) fill(r rune) T {
	if r >= 0x10000 {
		return t.of(r)
	}
	p := new([256]T)
	for i := range p {
		p[i] = t.of(r&^0xFF | rune(i))
	}
	t.planes[r>>8].Store(p)
	return p[r&0xFF]
}
