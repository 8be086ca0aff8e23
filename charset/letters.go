package charset

import "unicode"

// class is what kind of character stands beside another.
type class uint8

const (
	space  class = iota // white space, tags, edges
	punct               // other ASCII, and symbols beyond it
	number              // a digit
	lower               // a small letter
	upper               // a capital
	letter              // a letter or mark without case
	classes
)

// Letters of the model. Besides the letters of the alphabets, folded to lower
// case, it has these two: whatever parts words, and digits.
const (
	gap    = ' '
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

// look returns the letter of the model for r, its class, and whether it is a
// symbol: a character beyond ASCII that is no letter.
func look(r rune) (l uint16, c class, symbol bool) {
	if 0xFF66 <= r && r <= 0xFF9F {
		r = fullKana[r-0xFF66]
	}
	switch {
	case r < 0x80:
		switch {
		case 'a' <= r && r <= 'z':
			return uint16(r), lower, false
		case 'A' <= r && r <= 'Z':
			return uint16(r + 'a' - 'A'), upper, false
		case '0' <= r && r <= '9':
			return digit0, number, false
		case r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' || r == '<' || r == '>':
			return gap, space, false
		}
		return gap, punct, false
	case r > 0xFFFF:
		return rareHan, letter, false
	case sign(r) || !(unicode.IsLetter(r) || unicode.IsMark(r)):
		return gap, punct, true
	}
	switch f := unicode.ToLower(r); {
	case f != r:
		return uint16(f), upper, false
	case unicode.ToUpper(r) != r:
		return uint16(r), lower, false
	case unicode.IsLower(r):
		return uint16(r), lower, false
	}
	return uint16(r), letter, false
}

// script is an alphabet, as far as words do not mix them.
type script uint8

const (
	noScript script = iota // symbols, digits, marks
	latin
	cyrillic
	greek
	hebrew
	arabic
	thai
	asian // Chinese characters, kana, Hangul
	otherScript
)

func scriptOf(r rune) script {
	switch {
	case r < 0x80:
		if 'a' <= r|0x20 && r|0x20 <= 'z' {
			return latin
		}
		return noScript
	case sign(r) || !unicode.IsLetter(r):
		return noScript
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

// glyph is what the model needs to know of a character.
type glyph struct {
	letter uint16
	class  class
	symbol uint8 // its row in the model, 0 for letters
	script script
	cost   uint8 // that of the letter in no language, in units of 1/unit bits
}

// ideograph tells letters whose trigrams are too many to be counted.
func ideograph(l uint16) bool { return l >= 0x3400 && l < 0xE000 }
