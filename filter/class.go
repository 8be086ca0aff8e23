package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// Classes of characters.
const (
	isPunct    = 1 << iota // a token of only these characters is not a word
	isAlpha                // a letter
	isTerminal             // ends a sentence
)

// symbols is the punctuation that does not form words, except sentence ends and control
// characters.
const symbols = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~«´»–—’“”„…∶━►、。〈〉《》「」【】！％（），．１：；？～"

// khmer holds the Khmer sentence ends that lack the property Sentence_Terminal.
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

// classes caches the classes.
var classes = runes.NewTable(classOf)

// endsTerminal reports whether the last character of a line ends a sentence.
func endsTerminal(line string) bool {
	r, _ := utf8.DecodeLastRuneInString(line)
	return classes.At(r)&isTerminal != 0
}
