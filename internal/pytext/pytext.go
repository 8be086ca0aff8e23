// Package pytext implements Python's rules for text, which published scorers depend on. [Fields]
// splits as str.split does, [Lower] maps to lower case, [IsWord] and [IsDigit] match as \w and \d
// do, and [Decode] decodes invalid UTF-8. It is tested against CPython 3.11 (Unicode 14.0). Go's
// tables are of Unicode 15.0, which adds 4,489 characters, mostly CJK ideographs of extension H.
// The two differ only for these.
package pytext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsSpace reports whether r is white space for str.isspace and for \s in a pattern. Unlike
// [unicode.IsSpace] it includes the separators U+001C to U+001F.
func IsSpace(r rune) bool {
	switch {
	case r < 0x80:
		return r == ' ' || '\t' <= r && r <= '\r' || 0x1c <= r && r <= 0x1f
	case r < 0x2000:
		return r == 0x85 || r == 0xa0 || r == 0x1680
	default:
		return r <= 0x200a || r == 0x2028 || r == 0x2029 || r == 0x202f || r == 0x205f || r == 0x3000
	}
}

// IsWord reports whether \w matches r: letters, all kinds of numbers, and the underscore. Marks are
// excluded.
func IsWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// IsDigit reports whether \d matches r: decimal digits of any script.
func IsDigit(r rune) bool { return unicode.IsDigit(r) }

// IsDigitValue reports whether str.isdigit is true for r: decimal digits, and other digit
// characters such as ² and ①.
func IsDigitValue(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9'
	}
	return unicode.IsDigit(r) || unicode.Is(digitValues, r)
}

var digitValues = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0xb2, Hi: 0xb3, Stride: 1}, {Lo: 0xb9, Hi: 0xb9, Stride: 1}, {Lo: 0x1369, Hi: 0x1371, Stride: 1}, {Lo: 0x19da, Hi: 0x19da, Stride: 1},
		{Lo: 0x2070, Hi: 0x2070, Stride: 1}, {Lo: 0x2074, Hi: 0x2079, Stride: 1}, {Lo: 0x2080, Hi: 0x2089, Stride: 1}, {Lo: 0x2460, Hi: 0x2468, Stride: 1},
		{Lo: 0x2474, Hi: 0x247c, Stride: 1}, {Lo: 0x2488, Hi: 0x2490, Stride: 1}, {Lo: 0x24ea, Hi: 0x24ea, Stride: 1}, {Lo: 0x24f5, Hi: 0x24fd, Stride: 1},
		{Lo: 0x24ff, Hi: 0x24ff, Stride: 1}, {Lo: 0x2776, Hi: 0x277e, Stride: 1}, {Lo: 0x2780, Hi: 0x2788, Stride: 1}, {Lo: 0x278a, Hi: 0x2792, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x10a40, Hi: 0x10a43, Stride: 1}, {Lo: 0x10e60, Hi: 0x10e68, Stride: 1}, {Lo: 0x11052, Hi: 0x1105a, Stride: 1}, {Lo: 0x1f100, Hi: 0x1f10a, Stride: 1},
	},
	LatinOffset: 2,
}

// IsUpper reports whether str.isupper is true for r.
func IsUpper(r rune) bool { return unicode.IsUpper(r) || unicode.Is(unicode.Other_Uppercase, r) }

// IsLower reports whether str.islower is true for r.
func IsLower(r rune) bool { return unicode.IsLower(r) || unicode.Is(unicode.Other_Lowercase, r) }

// Fields splits s like str.split().
func Fields(s string) []string { return strings.FieldsFunc(s, IsSpace) }

// Strip removes white space from both ends like str.strip().
func Strip(s string) string { return strings.TrimFunc(s, IsSpace) }

// StripRight removes white space from the end like str.rstrip().
func StripRight(s string) string { return strings.TrimRightFunc(s, IsSpace) }

// Words returns the matches of \w+ in s, in order.
func Words(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !IsWord(r) })
}

// Collapse replaces each run of white space with one space and removes white space at both ends.
func Collapse(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range s {
		if IsSpace(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// Lower maps s to lower case like str.lower: by the simple mapping of each character, except that İ
// becomes i and a combining dot, and Σ becomes ς at the end of a word.
func Lower(s string) string {
	if !strings.ContainsAny(s, "İΣ") {
		return strings.ToLower(s)
	}
	rs := []rune(s)
	var b strings.Builder
	for i, r := range rs {
		switch r {
		case 'İ':
			b.WriteString("i̇")
		case 'Σ':
			if finalSigma(rs, i) {
				b.WriteRune('ς')
			} else {
				b.WriteRune('σ')
			}
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// finalSigma reports whether the condition Final_Sigma of the Unicode standard (3.13) holds.
func finalSigma(rs []rune, at int) bool {
	i := at - 1
	for i >= 0 && caseIgnorable(rs[i]) {
		i--
	}
	if i < 0 || !cased(rs[i]) {
		return false
	}
	i = at + 1
	for i < len(rs) && caseIgnorable(rs[i]) {
		i++
	}
	return i == len(rs) || !cased(rs[i])
}

func cased(r rune) bool { return IsUpper(r) || IsLower(r) || unicode.IsTitle(r) }

func caseIgnorable(r rune) bool {
	switch r {
	case '\'', '.', ':', 0xb7, 0x387, 0x55f, 0x5f4, 0x2018, 0x2019, 0x2024, 0x2027, 0xfe13, 0xfe52, 0xfe55, 0xff07, 0xff0e, 0xff1a:
		return true // Word_Break MidLetter, MidNumLet, Single_Quote
	}
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
}

// Decode decodes UTF-8 like open(..., errors="replace"). Each maximal prefix of a character, and
// each byte that cannot start one, becomes one U+FFFD.
func Decode(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var out strings.Builder
	out.Grow(len(b))
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 {
			n = broken(b)
		}
		out.WriteRune(r)
		b = b[n:]
	}
	return out.String()
}

// broken returns the length of the ill-formed start of b.
func broken(b []byte) int {
	c, lo, hi, need := b[0], byte(0x80), byte(0xbf), 0
	switch {
	case 0xc2 <= c && c <= 0xdf:
		need = 1
	case 0xe0 <= c && c <= 0xef:
		need = 2
		switch c {
		case 0xe0:
			lo = 0xa0
		case 0xed:
			hi = 0x9f
		}
	case 0xf0 <= c && c <= 0xf4:
		need = 3
		switch c {
		case 0xf0:
			lo = 0x90
		case 0xf4:
			hi = 0x8f
		}
	}
	n := 1
	for n <= need && n < len(b) && lo <= b[n] && b[n] <= hi {
		lo, hi = 0x80, 0xbf
		n++
	}
	return n
}
