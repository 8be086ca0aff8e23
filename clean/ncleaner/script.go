package ncleaner

import (
	"unicode"
	"unicode/utf8"

	"chaffinch/internal/runes"
	"chaffinch/page"
)

// isBlankless tells whether r is a letter of a blankless script.
func isBlankless(r rune) bool {
	return runes.IsUnspacedOrTibetan(r) && unicode.IsLetter(r)
}

// Limits of isForeign.
const (
	foreignSample = 1 << 14 // letters looked at
	foreignShare  = 10      // one letter in ten above ASCII is not English
)

// isForeign tells whether a share of the letters of blocks is above ASCII that
// no English text has.
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
