package exact

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold selects the differences to ignore.
type fold struct{ lower, digits, punct bool }

// append appends the normal form of text: NFC, one space for each run of white space,
// none at the ends. It returns the number of words.
func (f fold) append(dst, text []byte) (out []byte, words int) {
	if !ascii(text) && !norm.NFC.IsNormal(text) {
		text = norm.NFC.Bytes(text)
	}
	in, number := false, false
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		c := text[i : i+size]
		i += size
		switch {
		case unicode.IsSpace(r):
			in, number = false, false
			continue
		case f.punct && (unicode.IsPunct(r) || unicode.IsSymbol(r)):
			in, number = false, false
			continue
		}
		if !in {
			if words > 0 {
				dst = append(dst, ' ')
			}
			words++
			in = true
		}
		switch {
		case f.digits && unicode.IsDigit(r):
			if !number {
				dst = append(dst, '0')
			}
			number = true
			continue
		case f.lower:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		default:
			dst = append(dst, c...)
		}
		number = false
	}
	return dst, words
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
