package alphabet

import "unicode"

// Class is the class of a character next to another character.
type Class uint8

const (
	Space   Class = iota // white space, tags, edges
	Punct                // other ASCII characters, and non-ASCII symbols
	Number               // a digit
	Lower                // a small letter
	Upper                // a capital
	Letter               // a letter or mark without case
	Classes              // number of classes
)

// The letters of the model that are not letters of an alphabet, folded to lower case: word
// separators and digits.
const (
	Gap    = ' '
	digit0 = '0'
)

// fullKana maps half-width kana from U+FF66 on to letters of the model. Their voicing marks are
// not in the model. They count as the long vowel mark, which follows other letters as freely.
var fullKana = []rune("ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンーー")

// sign reports whether r is a letter in Unicode that is used as a symbol in text.
func sign(r rune) bool {
	switch r {
	case 'ª', 'º', 'µ', 'ƒ', 'ℓ', 'Ω', 'ﬁ', 'ﬂ', 'ⁿ':
		return true
	}
	return 0x02B0 <= r && r <= 0x02FF
}

// han reports whether r is a Chinese character or a Hangul syllable, half of the two-byte
// characters. It avoids a lookup in the tables of Unicode.
func han(r rune) bool { return 0x4E00 <= r && r <= 0x9FFF || 0xAC00 <= r && r <= 0xD7A3 }

// LetterOf returns the letter of the model for r and its class. It reports whether r is a
// symbol: a non-ASCII character that is not a letter.
func LetterOf(r rune) (l uint16, c Class, symbol bool) {
	if 0xFF66 <= r && r <= 0xFF9F {
		r = fullKana[r-0xFF66]
	}
	switch {
	case r < 0x80:
		switch {
		case 'a' <= r && r <= 'z':
			return uint16(r), Lower, false
		case 'A' <= r && r <= 'Z':
			return uint16(r + 'a' - 'A'), Upper, false
		case '0' <= r && r <= '9':
			return digit0, Number, false
		case r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' || r == '<' || r == '>':
			return Gap, Space, false
		}
		return Gap, Punct, false
	case r > 0xFFFF:
		return RareHan, Letter, false
	case han(r):
		return uint16(r), Letter, false
	case sign(r) || !(unicode.IsLetter(r) || unicode.IsMark(r)):
		return Gap, Punct, true
	}
	switch f := unicode.ToLower(r); {
	case f != r:
		return uint16(f), Upper, false
	case unicode.ToUpper(r) != r:
		return uint16(r), Lower, false
	case unicode.IsLower(r):
		return uint16(r), Lower, false
	}
	return uint16(r), Letter, false
}

// Script is an alphabet; words do not mix alphabets.
type Script uint8

const (
	NoScript Script = iota // symbols, digits, marks
	latin
	cyrillic
	greek
	hebrew
	arabic
	thai
	asian // Chinese characters, kana, Hangul
	otherScript
)

// ScriptOf returns the alphabet of a letter.
func ScriptOf(r rune) Script {
	switch {
	case r < 0x80:
		if 'a' <= r|0x20 && r|0x20 <= 'z' {
			return latin
		}
		return NoScript
	case han(r):
		return asian
	case sign(r) || !unicode.IsLetter(r):
		return NoScript
	case unicode.Is(unicode.Latin, r):
		return latin
	case unicode.Is(unicode.Cyrillic, r):
		return cyrillic
	case unicode.Is(unicode.Greek, r):
		return greek
	case unicode.Is(unicode.Hebrew, r):
		return hebrew
	case unicode.Is(unicode.Arabic, r):
		return arabic
	case unicode.Is(unicode.Thai, r):
		return thai
	case r >= 0x3040:
		return asian
	}
	return otherScript
}

// Glyph holds the properties of a character that the model needs.
type Glyph struct {
	Letter uint16
	Class  Class
	Symbol uint8 // row in the model, 0 for letters
	Script Script
	Cost   uint8 // cost of the letter in no language, in units of 1/Unit bits
}

// Ideograph reports whether l is a letter with too many trigrams to count.
func Ideograph(l uint16) bool { return l >= 0x3400 && l < 0xE000 }

// RareHan represents a character of four bytes in the detector.
const RareHan = 0x3400
