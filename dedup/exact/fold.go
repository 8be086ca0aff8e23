package exact

import (
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"chaffinch/internal/runes"
	"chaffinch/internal/swar"
)

// fold selects the differences to ignore.
type fold struct{ lower, digits, punct bool }

// append appends the normal form of text: NFC, one space for each run of white space,
// none at the ends. It returns the number of words.
func (f fold) append(dst, text []byte) (out []byte, words int) {
	if !quickNormal(text) && !norm.NFC.IsNormal(text) {
		text = norm.NFC.Bytes(text)
	}
	verbatim := f == fold{}
	in, number := false, false
	for i := 0; i < len(text); {
		if verbatim && len(text)-i >= 8 && text[i] < utf8.RuneSelf {
			x := binary.LittleEndian.Uint64(text[i:])
			n, blanks := words8(x, in)
			if n > 0 {
				if !in {
					if words > 0 {
						dst = append(dst, ' ')
					}
					words++
				}
				i += n
				dst = binary.LittleEndian.AppendUint64(dst, x)
				dst = dst[:len(dst)-(8-n)]
				words += bits.OnesCount64(blanks)
				if in = dst[len(dst)-1] != ' '; !in { // the next word appends its blank
					dst = dst[:len(dst)-1]
					words--
				}
				continue
			}
		}
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		c := text[i : i+size]
		i += size
		switch {
		case isSpace(r):
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

// words8 returns the number of leading bytes of x, the first byte lowest, that are words with one
// blank after each, and the blanks among these bytes. in reports whether x follows a byte of a word.
func words8(x uint64, in bool) (n int, blanks uint64) {
	blanks = swar.Within(x, ' ', ' ')
	before := blanks << 8 // blanks before a byte
	if !in {
		before |= 0x80
	}
	stop := x&swar.Tops | swar.Within(x, '\t', '\r') | blanks&before
	n = bits.TrailingZeros64(stop) / 8
	if n < 8 {
		blanks &= 1<<(8*n) - 1
	}
	return n, blanks
}

// isSpace reports whether r is white space, as [unicode.IsSpace], without a search for most letters.
func isSpace(r rune) bool {
	return (r <= 0xA0 || 0x1680 <= r && r <= 0x3000) && unicode.IsSpace(r)
}

// quickNormal reports whether text is NFC because each of its characters is, regardless of its
// neighbours. Other text may also be NFC.
func quickNormal(text []byte) bool {
	for i := 0; i < len(text); {
		if len(text)-i >= 8 && text[i] < 0xCC {
			// The first bytes of characters from U+0300 are 0xCC and above.
			x := binary.LittleEndian.Uint64(text[i:])
			high := (x&(0x3F*swar.Ones) + (0x80-0x0C)*swar.Ones) & x & (x << 1) & swar.Tops
			if high == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(high) / 8
		}
		if text[i] < 0xCC {
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if !normal.At(r) {
			return false
		}
		i += size
	}
	return true
}

// normal holds the characters that are NFC and do not combine with a character before them.
var normal = runes.NewTable(func(r rune) bool {
	s := string(r)
	return norm.NFC.IsNormalString(s) && norm.NFC.PropertiesString(s).BoundaryBefore()
})
