package token

import (
	"unicode"
	"unicode/utf8"

	"chaffinch/page"
)

// Count returns the number of words of text as a reader would count them: runs
// of letters, digits and marks, with apostrophes and hyphens inside; each Han
// character, Hiragana or Katakana letter counts as one, since these scripts
// write no blanks. It allocates nothing.
func Count(text string) int {
	n, in := 0, false
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			switch class[c] {
			case wordByte:
				if !in {
					n, in = n+1, true
				}
			case breakByte:
				in = false
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			n, in = n+1, false
		case r == '’' || r == 0xAD: // inside a word
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r):
			if !in {
				n, in = n+1, true
			}
		default:
			in = false
		}
	}
	return n
}

// Tally is how much text of a page was kept. Blocks that the page hides count
// only if they are kept.
type Tally struct{ Blocks, BlocksKept, Words, WordsKept int }

// CountPage counts blocks and words of p, in all and kept.
func CountPage(p *page.Page) (t Tally) {
	for i := range p.Blocks {
		b := &p.Blocks[i]
		keep := b.Label.Keep()
		if b.Hidden && !keep {
			continue
		}
		n := Count(b.Text)
		t.Blocks++
		t.Words += n
		if !keep || p.Drop != page.None {
			continue
		}
		t.BlocksKept++
		if len(b.Sentences) > 0 {
			n = Count(b.Kept())
		}
		t.WordsKept += n
	}
	return t
}

// Classes of the ASCII bytes: the zero class continues what was before.
const (
	innerByte = iota // ' and -
	wordByte
	breakByte
)

var class = func() (t [utf8.RuneSelf]uint8) {
	for c := range t {
		switch {
		case c == '\'' || c == '-':
			t[c] = innerByte
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			t[c] = wordByte
		default:
			t[c] = breakByte
		}
	}
	return t
}()
