package ncleaner

import "unicode/utf8"

// folder holds the state of folding one segment.
type folder struct {
	prev symbol // previous symbol
	word uint8  // blankless letters in the current word
}

// A blankless letter produces up to three symbols.
const (
	maxPerRune    = 3
	blanklessWord = 2 // letters
)

// fold writes symbols of text, from byte at, to buf. It stops at the end of text or when buf
// has less than maxPerRune free places. It returns the number of symbols written and the
// byte at which to continue. The caller must trim white space at the ends of text.
func (a *Alphabet) fold(f *folder, text string, at int, buf []symbol) (n, next int) {
	prev := f.prev
	for at < len(text) && n <= len(buf)-maxPerRune {
		var s symbol
		if c := text[at]; c < utf8.RuneSelf {
			s = a.ascii[c]
			at++
		} else {
			r, w := utf8.DecodeRuneInString(text[at:])
			at += w
			if a.nonLexical && isBlankless(r) {
				n += a.blankless(f, prev, buf[n:])
				prev = buf[n-1]
				continue
			}
			s = a.of(r)
		}
		if s == skip || s == blank && prev == blank {
			continue
		}
		buf[n] = s
		n++
		prev = s
	}
	f.prev = prev
	return n, at
}

// blankless writes a letter of a script without spaces between words as in a script with
// spaces. The letter becomes two letters, two such letters form a word, and a blank
// separates words and follows punctuation.
func (a *Alphabet) blankless(f *folder, prev symbol, buf []symbol) (n int) {
	letter := a.ascii['a']
	switch {
	case prev != letter:
		f.word = 0
		if prev == a.ascii[','] || prev == a.ascii['.'] || prev == a.ascii['!'] || prev == a.ascii['?'] || prev == a.ascii[';'] || prev == a.ascii[':'] {
			buf[n] = blank
			n++
		}
	case f.word == blanklessWord:
		f.word = 0
		buf[n] = blank
		n++
	}
	buf[n], buf[n+1] = letter, letter
	f.word++
	return n + 2
}
