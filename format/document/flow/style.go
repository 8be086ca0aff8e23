package flow

import (
	"strconv"
	"strings"

	"chaffinch/format/document"
)

// roles maps the names of built-in styles, which are not localised, to roles and elements.
var roles = map[string]struct{ role, tag string }{
	"caption": {"", "figcaption"}, "table caption": {"", "figcaption"}, "image caption": {"", "figcaption"}, "title": {"", "h1"},
	"toc heading": {document.Contents, ""}, "table of figures": {document.Contents, ""}, "table of authorities": {document.Contents, ""},
	"contents heading": {document.Contents, ""}, "bibliography": {document.Bibliography, ""}, "endnote bibliography": {document.Bibliography, ""},
	"quote": {"", "blockquote"}, "intense quote": {"", "blockquote"}, "block text": {"", "blockquote"},
	"html preformatted": {"", "pre"}, "source code": {"", "pre"}, "header": {"", ""}, "footer": {"", ""},
}

// RoleOf returns the role and the element of paragraphs with a style of this name. ok reports
// whether the name is known.
func RoleOf(name string) (role, tag string, ok bool) {
	name = strings.ToLower(name)
	if r, ok := roles[name]; ok {
		return r.role, r.tag, true
	}
	for _, prefix := range [...]string{"toc ", "index ", "contents "} {
		if n, ok := strings.CutPrefix(name, prefix); ok {
			if _, err := strconv.Atoi(n); err == nil {
				return document.Contents, "", true
			}
		}
	}
	return "", "", false
}

// greek contains the letters of the font Symbol from A to Z and from a to z.
var greek = [2][]rune{[]rune("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"), []rune("αβχδεφγηιϕκλμνοπθρστυϖωξψζ")}

// Symbols returns text in the font Symbol as Unicode where it consists of letters.
func Symbols(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0xf000 && r < 0xf100 {
			r -= 0xf000
		}
		switch {
		case r >= 'A' && r <= 'Z':
			return greek[0][r-'A']
		case r >= 'a' && r <= 'z':
			return greek[1][r-'a']
		case r == 0xb7:
			return '•'
		}
		return r
	}, text)
}
