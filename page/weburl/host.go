package weburl

import (
	neturl "net/url"
	"strings"
	"unicode/utf8"

	"github.com/nlnwa/whatwg-url/url"
)

// parser returns a parser of one address by the URL standard of 2025. The library follows the
// standard of 2023 and the tables of Unicode 15. In the current standard an ASCII host is only
// lower-cased, valid or not. Other hosts are mapped by Unicode 16 (UTS 46, revision 33).
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
			name, valid = mapHost(name)
		}
		return v.put(name, valid)
	}), url.WithPostParseHostFunc(func(_ *url.Url, host string) string { return v.lift(host) }))
}

// veil hides labels from the library that it would reject.
type veil struct {
	labels []int // indexes of the hidden labels
	stated []string
}

// put replaces the labels to hide by placeholders. Labels in Punycode are hidden only if the
// name is valid.
func (v *veil) put(name string, valid bool) string {
	list := strings.Split(name, ".")
	for i, label := range list {
		low := strings.ToLower(label)
		if !isASCII(label) || !(valid && strings.HasPrefix(low, "xn--")) && !falseNumber(low) {
			continue
		}
		v.labels, v.stated = append(v.labels, i), append(v.stated, low)
		// The library still rejects characters that the standard does not allow in a label.
		list[i] = "x" + strings.TrimLeft(low, "xn-0123456789")
	}
	return strings.Join(list, ".")
}

// lift returns the name with the hidden labels restored.
func (v *veil) lift(name string) string {
	list := strings.Split(name, ".")
	for k, i := range v.labels {
		list[i] = v.stated[k]
	}
	return strings.Join(list, ".")
}

// falseNumber reports whether a label begins with more digits than an integer has without being
// a number. The library mistakes it for a part of an IPv4 address.
func falseNumber(label string) bool {
	rest := strings.TrimLeft(label, "0123456789")
	return rest != "" && len(label)-len(rest) > 15
}
