package alphabet

import "unicode"

// Class is what kind of character stands beside another.
type Class uint8

const (
	Space   Class = iota // white space, tags, edges
	Punct                // other ASCII, and symbols beyond it
	Number               // a digit
	Lower                // a small letter
	Upper                // a capital
	Letter               // a letter or mark without case
	Classes              // how many there are
)

// Letters of the model. Besides the letters of the alphabets, folded to lower
// case, it has these two: whatever parts words, and digits.
const (
	Gap    = ' '
	digit0 = '0'
)

// fullKana holds what half-width kana count as from U+FF66 on. Their voicing
// marks, which the model has no letters for, count as the mark of a long vowel,
// which stands as freely behind others.
var fullKana = []rune("ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワンーー")

// sign tells characters that Unicode counts among the letters, but that stand
// in text as symbols do.
func sign(r rune) bool {
	switch r {
	case 'ª', 'º', 'µ', 'ƒ', 'ℓ', 'Ω', 'ﬁ', 'ﬂ', 'ⁿ':
		return true
	}
	return 0x02B0 <= r && r <= 0x02FF
}

// han tells half of the characters of two bytes, Chinese characters and Hangul syllables,
// which need no look into the tables of Unicode.
func han(r rune) bool { return 0x4E00 <= r && r <= 0x9FFF || 0xAC00 <= r && r <= 0xD7A3 }

// LetterOf returns the letter of the model for r, its class, and whether it is a
// symbol: a character beyond ASCII that is no letter.
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

// Script is an alphabet, as far as words do not mix them.
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

// Glyph is what the model needs to know of a character.
type Glyph struct {
	Letter uint16
	Class  Class
	Symbol uint8 // its row in the model, 0 for letters
	Script Script
	Cost   uint8 // that of the letter in no language, in units of 1/Unit bits
}

// Ideograph tells letters whose trigrams are too many to be counted.
func Ideograph(l uint16) bool { return l >= 0x3400 && l < 0xE000 }

// RareHan stands in the detector for a character of four bytes.
const RareHan = 0x3400
