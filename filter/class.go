package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
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

// classes remembers them.
var classes = runes.NewTable(classOf)

// endsTerminal reports whether the last character of a line ends a sentence.
func endsTerminal(line string) bool {
	r, _ := utf8.DecodeLastRuneInString(line)
	return classes.At(r)&isTerminal != 0
}
