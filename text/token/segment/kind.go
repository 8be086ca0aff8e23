package segment

import (
	"slices"
	"unicode"
)

// Script is the name of a script in which a model may find words.
type Script string

// scriptOf numbers the scripts; 0 means any other script.
var scriptOf = map[Script]uint8{"Han": 1, "Hiragana": 2, "Katakana": 3, "Thai": 4, "Lao": 5, "Khmer": 6, "Myanmar": 7, "Tibetan": 8}

const scripts = 9

// Scripts returns the names of the scripts that are written without spaces between words.
func Scripts() []Script {
	var names []Script
	for s := range scriptOf {
		names = append(names, s)
	}
	slices.Sort(names)
	return names
}

// scriptAt returns the number of the script of r, 0 if it is not one of [Scripts].
func scriptAt(r rune) uint8 {
	switch {
	case r < 0xe00:
		return 0
	case r < 0xe80:
		return 4
	case r < 0xf00:
		return 5
	case r < 0x1000:
		return 8
	case r >= 0x1000 && r < 0x10a0:
		return 7
	case r >= 0x1780 && r < 0x1800:
		return 6
	case r >= 0x3041 && r < 0x30a0:
		return 2
	case r >= 0x30a0 && r < 0x3100, r >= 0x31f0 && r < 0x3200, r >= 0xff66 && r < 0xffa0:
		return 3
	case r >= 0x2e80 && unicode.Is(unicode.Han, r):
		return 1
	}
	return 0
}

// ScriptOf returns the script of r, "" if it is not one of [Scripts].
func ScriptOf(r rune) Script {
	n := scriptAt(r)
	for s, i := range scriptOf {
		if i == n {
			return s
		}
	}
	return ""
}

// Kinds of characters.
const (
	space   uint8 = iota // also outside of the text
	digit                // decimal digits
	letter               // of scripts with blanks
	symbol               // punctuation and others
	han                  // Han characters
	numeral              // Han characters that are numbers
	hiragana
	katakana
	longMark   // ー and characters that repeat the character before
	consonant  // Thai, Lao, Khmer, Burmese
	frontVowel // written before its consonant
	vowel
	tone   // tones and signs above
	killer // removes the vowel of its consonant or stacks the next one
	kinds  = 16
)

// kindOf returns the kind of a character.
func kindOf(r rune) uint8 {
	if r < 0x80 {
		switch {
		case r >= '0' && r <= '9':
			return digit
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			return letter
		case r <= ' ':
			return space
		}
		return symbol
	}
	switch scriptAt(r) {
	case 1:
		switch r {
		case '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '百', '千', '万', '億', '兆', '〇', '亿', '萬', '零':
			return numeral
		case '々', '〻':
			return longMark
		}
		return han
	case 2:
		if r >= 0x309b {
			return longMark
		}
		return hiragana
	case 3:
		switch r {
		case 'ー', 'ヽ', 'ヾ', 'ｰ':
			return longMark
		case '・', '･':
			return symbol
		}
		return katakana
	case 4, 5:
		return thaiKind(r)
	case 6:
		switch {
		case r < 0x17b4:
			return consonant
		case r == 0x17d2:
			return killer
		case r >= 0x17b6 && r <= 0x17c5:
			return vowel
		}
	case 7:
		switch {
		case r == 0x1039, r == 0x103a:
			return killer
		case r >= 0x102b && r <= 0x1035, r >= 0x103b && r <= 0x103e:
			return vowel
		case r == 0x1036, r == 0x1037, r == 0x1038:
			return tone
		case r < 0x102b:
			return consonant
		}
	case 8:
		switch {
		case r == 0x0f0b, r == 0x0f0c, r == 0x0f39: // a tsheg ends the syllable before it
			return killer
		case r >= 0x0f71 && r <= 0x0f84, r >= 0x0f8d && r <= 0x0fbc:
			return vowel
		case r >= 0x0f40 && r <= 0x0f6c:
			return consonant
		}
	}
	switch {
	case unicode.IsSpace(r), r == '\u200b', r == '\ufeff':
		return space
	case unicode.IsDigit(r):
		return digit
	case unicode.IsLetter(r):
		return letter
	case unicode.Is(unicode.M, r):
		return tone
	}
	return symbol
}

// thaiKind returns the kind of a Thai or Lao character. The blocks have the same order.
func thaiKind(r rune) uint8 {
	switch o := r & 0x7f; {
	case o >= 0x50 && o <= 0x59:
		return digit
	case o >= 0x01 && o <= 0x2e, o >= 0x5c && o <= 0x5f && r >= 0xe80:
		return consonant
	case o >= 0x40 && o <= 0x44:
		return frontVowel
	case o == 0x46:
		return longMark
	case o == 0x4c:
		return killer
	case o >= 0x47 && o <= 0x4e:
		return tone
	case o >= 0x30 && o <= 0x3a, o == 0x45:
		return vowel
	}
	return symbol
}

// The weights of kinds: for n-grams of one to three kinds at each possible position, and for
// the two kinds before and two after the place together.
const (
	kindUni     = 0
	kindBi      = kindUni + (2*reach)*kinds
	kindTri     = kindBi + (2*reach-1)*kinds*kinds
	kindQuad    = kindTri + (2*reach-2)*kinds*kinds*kinds
	kindWeights = kindQuad + kinds*kinds*kinds*kinds
)

// kindSlots is the number of n-grams of kinds at a place.
const kindSlots = 6*reach - 3 + 1

// kindSlotsOf returns the indices of the weights of the n-grams of kinds around a place. k
// holds the kinds of the reach characters before and after it.
func kindSlotsOf(k []uint8, out *[kindSlots]int32) {
	k = k[:2*reach]
	n := 0
	for i := range 2 * reach {
		key := int32(k[i])
		out[n] = kindUni + int32(i)*kinds + key
		n++
		if i < 2*reach-1 {
			key = key*kinds + int32(k[i+1])
			out[n] = kindBi + int32(i)*kinds*kinds + key
			n++
		}
		if i < 2*reach-2 {
			key = key*kinds + int32(k[i+2])
			out[n] = kindTri + int32(i)*kinds*kinds*kinds + key
			n++
		}
	}
	key := int32(0)
	for i := reach - 2; i < reach+2; i++ {
		key = key*kinds + int32(k[i])
	}
	out[n] = kindQuad + key
}
