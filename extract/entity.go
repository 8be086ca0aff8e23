package extract

import (
	"html"
	"strings"
	"unicode/utf8"
)

// frequentRefs maps frequent references, since package html allocates twice for each.
var frequentRefs = map[string]string{
	"Auml;": "Ä", "Ouml;": "Ö", "Uuml;": "Ü", "aacute;": "á", "agrave;": "à", "apos;": "'", "atilde;": "ã", "auml;": "ä", "bull;": "•",
	"ccedil;": "ç", "copy;": "©", "darr;": "↓", "deg;": "°", "eacute;": "é", "ecirc;": "ê", "egrave;": "è", "euro;": "€", "hellip;": "…",
	"iacute;": "í", "laquo;": "«", "ldquo;": "“", "lsquo;": "‘", "mdash;": "—", "middot;": "·", "ndash;": "–", "ntilde;": "ñ", "oacute;": "ó",
	"ouml;": "ö", "raquo;": "»", "rarr;": "→", "rdquo;": "”", "reg;": "®", "rsaquo;": "›", "rsquo;": "’", "szlig;": "ß", "times;": "×",
	"trade;": "™", "uacute;": "ú", "uuml;": "ü",
}

// maxRef is more than the bytes of any named reference ("&CounterClockwiseContourIntegral;").
const maxRef = 40

// mayBeClosed reports whether the character reference at the start of s may end with a semicolon.
// Most "&" in addresses separate parameters instead.
func mayBeClosed(s string) bool {
	if len(s) > 1 && s[1] == '#' {
		return true
	}
	i := 1
	for i < len(s) && i < maxRef && isAlnum(s[i]) {
		i++
	}
	return i < len(s) && s[i] == ';'
}

// decodeRef decodes the character reference at the start of s. It returns the text and the bytes of
// the reference; 0 if there is no reference. Missing semicolons and the numbers 128 to 159, meant
// as windows-1252, are accepted as in browsers.
func decodeRef(s string) (val string, n int) {
	switch {
	case strings.HasPrefix(s, "&nbsp;"):
		return "\u00a0", 6
	case strings.HasPrefix(s, "&amp;"):
		return "&", 5
	case strings.HasPrefix(s, "&quot;"):
		return `"`, 6
	case strings.HasPrefix(s, "&lt;"):
		return "<", 4
	case strings.HasPrefix(s, "&gt;"):
		return ">", 4
	case strings.HasPrefix(s, "&nGt;"): // the names of these two are shorter than their UTF-8;
		return "\u226b\u20d2", 5
	case strings.HasPrefix(s, "&nLt;"): // package html does not decode them
		return "\u226a\u20d2", 5
	}
	if len(s) > 1 && s[1] == '#' {
		return decodeNumber(s)
	}
	end := 1
	for end < len(s) && end < maxRef && (isLetter(s[end]) || '0' <= s[end] && s[end] <= '9') {
		end++
	}
	if end < len(s) && s[end] == ';' {
		end++
	}
	if end < 3 {
		return "", 0
	}
	if val, ok := frequentRefs[s[1:end]]; ok {
		return val, end
	}
	val = html.UnescapeString(s[:end])
	if val == s[:end] {
		return "", 0
	}
	// html.UnescapeString returns what follows a name without semicolon unchanged.
	rest := 0
	for rest < len(val) && rest < end && val[len(val)-1-rest] == s[end-1-rest] {
		rest++
	}
	if rest == len(val) {
		rest--
	}
	return val[:len(val)-rest], end - rest
}

// windows1252 holds the characters of the numbers 128 to 159.
var windows1252 = [32]rune{
	0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
	0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
}

// decodeNumber decodes the numeric reference at the start of s.
func decodeNumber(s string) (val string, n int) {
	base, i := rune(10), 2
	if i < len(s) && s[i]|0x20 == 'x' {
		base, i = 16, 3
	}
	var r rune
	first := i
	for ; i < len(s); i++ {
		d := rune(s[i]) - '0'
		if d < 0 || d > 9 {
			if d = rune(s[i]|0x20) - 'a' + 10; base == 10 || d < 10 || d > 15 {
				break
			}
		}
		if r = r*base + d; r > utf8.MaxRune {
			r = utf8.MaxRune + 1
		}
	}
	if i == first {
		return "", 0
	}
	if i < len(s) && s[i] == ';' {
		i++
	}
	switch {
	case 0x80 <= r && r <= 0x9F:
		r = windows1252[r-0x80]
	case r == 0 || !utf8.ValidRune(r):
		r = utf8.RuneError
	}
	if r < utf8.RuneSelf {
		return ascii[r : r+1], i
	}
	return string(r), i
}

// ascii holds the characters below 128, to be sliced.
var ascii = func() string {
	var b [utf8.RuneSelf]byte
	for i := range b {
		b[i] = byte(i)
	}
	return string(b[:])
}()
