package ncleaner

import (
	"unicode"
	"unicode/utf8"

	"chaffinch/page"
)

// script is what the letters of a page tell of the models that fit it.
type script uint8

const (
	scriptASCII     script = iota // nearly all letters are ASCII
	scriptOther                   // a share of other letters that no English text has
	scriptBlankless               // mostly letters of scripts that put no blanks between words
)

// Limits of scriptOf.
const (
	scriptSample = 1 << 14 // letters looked at
	otherShare   = 10      // one letter in ten above ASCII is not English
	blankShare   = 2       // one letter in two
)

// blankless lists the scripts without blanks between words.
var blankless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
	unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// scriptOf looks at the letters of blocks.
func scriptOf(blocks []page.Block) script {
	var letters, other, without int
	for i := range blocks {
		text := blocks[i].Text
		for at := 0; at < len(text) && letters < scriptSample; {
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
			if !unicode.IsLetter(r) {
				continue
			}
			letters++
			other++
			if r >= 0x0e00 && unicode.In(r, blankless...) {
				without++
			}
		}
	}
	switch {
	case without > 0 && without*blankShare >= letters:
		return scriptBlankless
	case other*otherShare >= letters && other > 0:
		return scriptOther
	}
	return scriptASCII
}
