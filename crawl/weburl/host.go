package weburl

import (
	neturl "net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// parser returns a parser of one address by the URL standard of 2025. The library follows
// that of 2023, and the tables of its package for names are those of Unicode 15: a host in
// ASCII is now only put into lower case, valid or not, and others are mapped by Unicode 16
// (UTS 46, revision 33).
func parser() url.Parser {
	var v veil
	return url.NewParser(url.WithPreParseHostFunc(func(_ *url.Url, host string) string {
		v = veil{}
		name, err := neturl.PathUnescape(host)
		if strings.HasPrefix(host, "[") || err != nil || strings.ContainsRune(name, '%') || !utf8.ValidString(name) {
			return host
		}
		valid := isASCII(name)
		if !valid {
			name, valid = mapped(name)
		}
		return v.put(name, valid)
	}), url.WithPostParseHostFunc(func(_ *url.Url, host string) string { return v.lift(host) }))
}

// veil hides labels from the library, which would refuse them.
type veil struct {
	labels []int // their indexes
	stated []string
}

// put returns a name with other labels in place of some: of those in Punycode too, if they
// are valid.
func (v *veil) put(name string, valid bool) string {
	list := strings.Split(name, ".")
	for i, label := range list {
		low := strings.ToLower(label)
		if !isASCII(label) || !(valid && strings.HasPrefix(low, "xn--")) && !falseNumber(low) {
			continue
		}
		v.labels, v.stated = append(v.labels, i), append(v.stated, low)
		// What the standard does not allow in a label, the library still finds.
		list[i] = "x" + strings.TrimLeft(low, "xn-0123456789")
	}
	return strings.Join(list, ".")
}

// lift returns the name with its labels.
func (v *veil) lift(name string) string {
	list := strings.Split(name, ".")
	for k, i := range v.labels {
		list[i] = v.stated[k]
	}
	return strings.Join(list, ".")
}

// falseNumber reports whether a label begins with more digits than an integer has, but is
// no number: the library takes it for a part of an IPv4 address.
func falseNumber(label string) bool {
	rest := strings.TrimLeft(label, "0123456789")
	return rest != "" && len(label)-len(rest) > 15
}

// profile maps names as the library does.
var profile = idna.New(idna.MapForLookup(), idna.VerifyDNSLength(false), idna.StrictDomainName(false), idna.ValidateLabels(true), idna.CheckHyphens(false),
	idna.CheckJoiners(true), idna.BidiRule(), idna.Transitional(false))

// mapped returns a name with the characters that Unicode 16 maps and Unicode 15 does not.
// If it has characters that are valid since, it returns the name in ASCII, and true.
func mapped(name string) (string, bool) {
	var b strings.Builder
	for _, r := range norm.NFC.String(name) {
		switch {
		case r == 'ẞ':
			r = 'ß'
		case 0x10A0 <= r && r <= 0x10CD, r == 0x2183, r == 0x2132, r == 0x04C0:
			r = unicode.ToLower(r)
		case r == 0xAD, r == 0x115F || r == 0x1160 || r == 0x3164 || r == 0xFFA0, // hyphens, fillers, vowels and shapers that are not seen
			r == 0x17B4 || r == 0x17B5, r == 0x180E, 0x206A <= r && r <= 0x206F, 0x1D173 <= r && r <= 0x1D17A:
			continue
		case 0x2474 <= r && r < 0x2488 || 0x249C <= r && r < 0x24B6 || 0xFF00 <= r && r < 0xFF60 && r != '％': // in parentheses, of full width
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

// odds are characters beyond ASCII that are valid since Unicode 16.
const odds = "≠≮≯"

// isOdd reports whether r is valid in a name by the URL standard, but not by the library
// where other characters of the name are not in ASCII.
func isOdd(r rune) bool {
	return strings.ContainsRune("!\"$&'()*+,;=_`{}~"+odds, r)
}

// oddLabels puts a name with odd characters into ASCII: while it is mapped, patterns of
// Braille, which map to themselves, take their places.
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

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
