package ncleaner

import (
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
	"chaffinch/page"
)

// isBlankless reports whether r is a letter of a script without spaces between words.
func isBlankless(r rune) bool {
	return runes.IsUnspacedOrTibetan(r) && unicode.IsLetter(r)
}

// Limits of isForeign.
const (
	foreignSample = 1 << 14 // maximum number of letters read
	foreignShare  = 10      // one non-ASCII letter in ten is not English
)

// isForeign reports whether the share of non-ASCII letters in blocks is too high for English
// text.
func isForeign(blocks []page.Block) bool {
	letters, other := 0, 0
	for i := range blocks {
		text := blocks[i].Text
		for at := 0; at < len(text) && letters < foreignSample; {
			c := text[at]
			if c < utf8.RuneSelf {
				at++
				if 'a' <= c|0x20 && c|0x20 <= 'z' {
					letters++
				}
				continue
			}
			r, w := utf8.DecodeRuneInString(text[at:])
			at += w
			if unicode.IsLetter(r) {
				letters++
				other++
			}
		}
	}
	return other > 0 && other*foreignShare >= letters
}
