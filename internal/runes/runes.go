// Package runes classifies characters: [IsUnspaced] and related functions report whether a script
// separates words by spaces. Packages with other classes for their models cache them in a [Table].
package runes

import (
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// unspaced lists the scripts without spaces between words. First are the scripts whose characters
// count as words. The last is Tibetan, which separates syllables by a mark.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
	unicode.Tibetan,
}

// IsEastAsian reports whether r is Chinese or Japanese.
func IsEastAsian(r rune) bool { return r >= 0x2e80 && unicode.In(r, unspaced[:3]...) }

// IsUnspaced reports whether r is of a script without spaces between words, except Tibetan.
func IsUnspaced(r rune) bool { return r >= 0x0e00 && unicode.In(r, unspaced[:7]...) }

// IsUnspacedOrTibetan reports whether r is of a script without spaces between words, including
// Tibetan.
func IsUnspacedOrTibetan(r rune) bool { return r >= 0x0e00 && unicode.In(r, unspaced...) }

// IsWide reports whether r is Chinese or Japanese and has the East Asian width W, F or H:
// characters, punctuation and forms of other characters. A line break between two wide characters
// is not a space (CSS Text 3, 4.1.3).
func IsWide(r rune) bool {
	return r >= 0x2e80 && (r >= 0x3000 && r <= 0x30FF || r >= 0xFF00 && r <= 0xFF9F || r >= 0xFFE0 && r <= 0xFFE6 || IsEastAsian(r))
}

// IsWord reports whether r is a letter, a mark or a decimal digit.
func IsWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) }

// Table caches the results of a function of a character. It is safe for concurrent use.
type Table[T any] struct {
	// ASCII holds the results for the first 128 characters.
	ASCII [utf8.RuneSelf]T

	of func(r rune) T
	// planes holds the results for characters below U+10000 by their upper byte, each computed when
	// first used.
	planes [256]atomic.Pointer[[256]T]
}

// NewTable returns a Table of the results of of, which must depend only on r.
func NewTable[T any](of func(r rune) T) *Table[T] {
	t := &Table[T]{of: of}
	for r := range t.ASCII {
		t.ASCII[r] = of(rune(r))
	}
	return t
}

// At returns the result for r.
func (t *Table[T]) At(r rune) T {
	if uint32(r) < 0x10000 {
		if p := t.planes[r>>8].Load(); p != nil {
			return p[r&0xFF]
		}
	}
	return t.fill(r)
}

// fill computes the result for r and its neighbours.
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
