package token

import (
	"unicode"
	"unicode/utf8"
)

// class is the class of a character for the scanner.
type class uint8

const (
	other       class = iota // controls, unassigned
	blank                    // white space in a line
	newline                  // white space that ends a line
	lowerLetter              // letters, by case
	upperLetter              // includes title case
	plainLetter              // letters of scripts without case
	mark                     // combining and invisible characters, which belong to the character before
	digit                    // decimal digits
	numeral                  // other numbers: ½, ², Ⅷ
	han                      // scripts without spaces, see script.go
	hiragana
	katakana
	thai // includes Lao
	khmer
	myanmar
	tibetan
	fullStop // may also end an abbreviation or a number
	strong   // ? !
	wideStop // ends a sentence without a blank after it: 。 ！ । ።
	dots     // … and equivalent characters
	opening  // brackets, ¿ and ¡
	closing  // brackets
	quote    // quotation marks, which open or close depending on their context
	dash     // hyphens and dashes
	pause    // , ; : and their equivalents in other scripts
	mixed    // other punctuation and symbols
	picture  // emoji
	regional // regional indicators: two form a flag
	wrong    // a byte that is not UTF-8
	classes  // number of classes
)

// inWord reports, for each class, whether its characters form words.
var inWord = [classes]bool{lowerLetter: true, upperLetter: true, plainLetter: true, mark: true, digit: true, numeral: true}

// bmp holds the classes of the characters up to U+FFFF.
var bmp = makeClasses()

func makeClasses() (t [1 << 16]class) {
	fill := func(c class, tables ...*unicode.RangeTable) {
		for _, tab := range tables {
			for _, r := range tab.R16 {
				for x := int(r.Lo); x <= int(r.Hi); x += int(r.Stride) {
					t[x] = c
				}
			}
		}
	}
	// Later calls override earlier ones.
	fill(plainLetter, unicode.L)
	fill(lowerLetter, unicode.Ll)
	fill(upperLetter, unicode.Lu, unicode.Lt)
	fill(plainLetter, unicode.Georgian) // its capitals begin no words
	fill(mark, unicode.M, unicode.Cf)
	fill(numeral, unicode.Nl, unicode.No)
	fill(digit, unicode.Nd)
	fill(mixed, unicode.P, unicode.S)
	fill(quote, unicode.Pi, unicode.Pf, unicode.Quotation_Mark)
	fill(opening, unicode.Ps)
	fill(closing, unicode.Pe)
	fill(dash, unicode.Pd)
	fill(strong, unicode.STerm)
	for _, l := range []struct {
		c    class
		list string
	}{
		{fullStop, ".\u2024\ufe52\uff0e"},
		{strong, "?!\u037e\u203c\u203d\u2047\u2048\u2049\u061f"},
		{dots, "\u2025\u2026\u22ef"},
		{wideStop, "\u3002\uff61\uff01\uff1f\u0964\u0965\u104b\u1367\u1362\u0589\u06d4\u17d4\u17d5\u0f0d\u0f0e\u1803\u1809"},
		{pause, ",;:\u060c\u061b\u3001\uff0c\uff1b\uff1a\u055d\u1363\u1364\u1365\u1366\u104a\u17d6"},
		{opening, "\u00bf\u00a1"},
		{plainLetter, "_\u00aa\u00ba"},
		{mark, "\u055b\u055c\u055e"}, // Armenian: within the word
		{dash, "\u2212"},
	} {
		for _, r := range l.list {
			t[r] = l.c
		}
	}
	fill(han, unicode.Han)
	fill(hiragana, unicode.Hiragana)
	fill(katakana, unicode.Katakana)
	letters := func(c class, lo, hi rune) {
		for r := lo; r <= hi; r++ {
			if t[r] == plainLetter || t[r] == mark {
				t[r] = c
			}
		}
	}
	letters(thai, 0x0e00, 0x0eff)
	letters(tibetan, 0x0f00, 0x0fff)
	letters(myanmar, 0x1000, 0x109f)
	letters(khmer, 0x1780, 0x17ff)
	t['\u3005'], t['\u303b'], t['\u30fc'] = mark, mark, mark // repeat or lengthen the character before
	t['\u0f0b'] = tibetan                                    // the tsheg ends a syllable
	fill(blank, unicode.White_Space)
	t['\u200b'], t['\ufeff'] = blank, blank
	for _, r := range "\n\r\u0085\u2028\u2029" {
		t[r] = newline
	}
	return t
}

// classAt returns the class of the character at i and its length.
func classAt(text string, i int) (class, int) {
	if c := text[i]; c < utf8.RuneSelf {
		return bmp[c], 1
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	if n == 1 {
		return wrong, 1
	}
	return runeClass(r), n
}

func runeClass(r rune) class {
	if r < 1<<16 {
		return bmp[r]
	}
	switch {
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		return regional
	case r >= 0x1f3fb && r <= 0x1f3ff: // skin tones
		return mark
	case r >= 0x1f000 && r <= 0x1faff:
		return picture
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.Is(unicode.Ll, r):
		return lowerLetter
	case unicode.Is(unicode.Lu, r):
		return upperLetter
	case unicode.IsLetter(r):
		return plainLetter
	case unicode.In(r, unicode.M, unicode.Cf):
		return mark
	case unicode.IsDigit(r):
		return digit
	case unicode.IsNumber(r):
		return numeral
	case unicode.Is(unicode.STerm, r):
		return wideStop
	case unicode.In(r, unicode.P, unicode.S):
		return mixed
	}
	return other
}
