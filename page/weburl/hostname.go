package weburl

// Host names are mapped by UTS 46 with the tables of Unicode 16. The tables of
// golang.org/x/net/idna are of Unicode 15 until Go 1.27.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// HostToASCII returns a host name in lower case and in ASCII. Labels with other characters are
// encoded in Punycode. An invalid name is an error.
func HostToASCII(name string) (string, error) {
	if !isASCII(name) {
		mapped, ok := mapHost(name)
		if ok {
			return mapped, nil
		}
		name = mapped
	}
	return idna.Lookup.ToASCII(name)
}

// profile maps names as the URL standard does, except for the version of Unicode.
var profile = idna.New(idna.MapForLookup(), idna.VerifyDNSLength(false), idna.StrictDomainName(false), idna.ValidateLabels(true), idna.CheckHyphens(false),
	idna.CheckJoiners(true), idna.BidiRule(), idna.Transitional(false))

// mapHost maps the characters that Unicode 16 maps and Unicode 15 does not. A name with characters
// that are valid only since Unicode 16 is also converted to ASCII. mapHost reports whether it
// converted the name.
func mapHost(name string) (string, bool) {
	var b strings.Builder
	for _, r := range norm.NFC.String(name) {
		switch {
		case r == 'ẞ':
			r = 'ß'
		case 0x10A0 <= r && r <= 0x10CD, r == 0x2183, r == 0x2132, r == 0x04C0:
			r = unicode.ToLower(r)
		case r == 0xAD, r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0, // invisible hyphens, fillers, vowels and shapers
			r == 0x17B4 || r == 0x17B5, r == 0x180E, 0x206A <= r && r <= 0x206F, 0x1D173 <= r && r <= 0x1D17A:
			continue
		case 0x2474 <= r && r < 0x2488 || 0x249C <= r && r < 0x24B6 || 0xFF00 <= r && r < 0xFF60 && r != '％': // in parentheses, full-width
			b.WriteString(strings.ToLower(norm.NFKC.String(string(r))))
			continue
		}
		b.WriteRune(r)
	}
	name = norm.NFC.String(b.String())
	odd, clash := strings.IndexFunc(name, isOdd) >= 0, strings.IndexFunc(name, isBraille) >= 0
	if !odd || clash {
		return name, false
	}
	return oddLabels(name)
}

func isBraille(r rune) bool { return 0x2800 <= r && r <= 0x28FF }

// odds are non-ASCII characters that are valid since Unicode 16.
const odds = "≠≮≯"

// isOdd reports whether r is valid in a name by the URL standard, but rejected by the library
// in a name with non-ASCII characters.
func isOdd(r rune) bool {
	return strings.ContainsRune("!\"$&'()*+,;=_`{}~"+odds, r)
}

// oddLabels converts a name with odd characters to ASCII, and reports whether it is valid. Braille
// patterns, which map to themselves, replace the odd characters during mapping.
func oddLabels(name string) (string, bool) {
	stand := strings.Map(func(r rune) rune {
		if i := strings.IndexRune(odds, r); i >= 0 {
			return 0x2880 + rune(i)
		}
		if isOdd(r) {
			return 0x2800 + r
		}
		return r
	}, name)
	full, err := profile.ToUnicode(stand)
	if err != nil {
		return name, false
	}
	list := strings.Split(strings.Map(func(r rune) rune {
		switch {
		case 0x2880 <= r && r <= 0x28FF:
			c, _ := utf8.DecodeRuneInString(odds[r-0x2880:])
			return c
		case 0x2800 <= r && r < 0x2880:
			return r - 0x2800
		}
		return r
	}, full), ".")
	for i, label := range list {
		if ascii, err := idna.Punycode.ToASCII(label); err == nil {
			list[i] = ascii
		}
	}
	return strings.Join(list, "."), true
}

// isASCII reports whether s contains only ASCII.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
