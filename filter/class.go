package filter

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Classes of characters.
const (
	isPunct    = 1 << iota // a token of these alone is no word
	isAlpha                // a letter
	isTerminal             // ends a sentence
)

// symbols are the punctuation that makes no word, beside what ends sentences and
// control characters.
const symbols = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~«´»–—’“”„…∶━►、。〈〉《》「」【】！％（），．１：；？～"

// khmer ends sentences there, beside the characters of the property
// Sentence_Terminal.
const khmer = "។៕៖៙៚"

func classOf(r rune) (c uint8) {
	if unicode.Is(unicode.STerm, r) || strings.ContainsRune(khmer, r) {
		c |= isTerminal | isPunct
	}
	if r < 0x20 && r != '\t' && r != '\n' || r >= 0x7f && r < 0xa0 || strings.ContainsRune(symbols, r) {
		c |= isPunct
	}
	if unicode.IsLetter(r) {
		c |= isAlpha
	}
	return c
}

// basicPlane holds the classes of its characters.
var basicPlane = sync.OnceValue(func() *[1 << 16]uint8 {
	t := new([1 << 16]uint8)
	for r := range t {
		t[r] = classOf(rune(r))
	}
	return t
})

func (s *Scorer) class(r rune) uint8 {
	if r < 1<<16 {
		return s.classes[r]
	}
	return classOf(r)
}

// endsTerminal reports whether the last character of a line ends a sentence.
func (s *Scorer) endsTerminal(line string) bool {
	r, _ := utf8.DecodeLastRuneInString(line)
	return s.class(r)&isTerminal != 0
}
