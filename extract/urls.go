package extract

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"chaffinch/internal/runes"
)

// withoutLineEnds removes the characters that the URL standard removes from addresses.
var withoutLineEnds = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// address returns the address in an attribute value.
func address(value string) string { return collapse(withoutLineEnds.Replace(value), true) }

// absolute returns the address in attribute value ref, absolute if the address of the page is
// known. It returns "" for fragments of the page, scripts and data.
func (s *scan) absolute(ref string) string {
	n := &s.inlines
	if !isPlain(ref) {
		ref = withoutLineEnds.Replace(ref)
		for i := range len(ref) {
			if class[ref[i]] != plain {
				n.buf = appendCollapsed(n.buf[:0], ref, true)
				ref = n.addresses.add(n.buf)
				break
			}
		}
	}
	if ref == "" || ref[0] == '#' {
		return ""
	}
	if strings.HasPrefix(ref, "https://") || strings.HasPrefix(ref, "http://") {
		return ref
	}
	switch scheme(ref) {
	case "":
	case "javascript", "data", "blob", "about":
		return ""
	default:
		return ref
	}
	if !n.baseSet {
		n.setBase(s.stated.Canonical)
	}
	if n.base == nil {
		return ref
	}
	if n.host != "" && ref[0] == '/' && isPath(ref) {
		return n.addresses.join(n.host, ref)
	}
	if n.scheme != "" && isHostPath(ref) {
		return n.addresses.join(n.scheme, ref)
	}
	if rest := strings.TrimPrefix(ref, "./"); n.folder != "" && rest != "" && isAlnum(rest[0]) && isPath(rest) && !strings.ContainsAny(rest, ":#") {
		return n.addresses.join(n.folder, rest)
	}
	u, err := url.Parse(strings.ReplaceAll(ref, " ", "%20"))
	if err != nil {
		return ref
	}
	return n.base.ResolveReference(u).String()
}

// slab holds short strings in blocks of memory, which live as long as one of their strings.
type slab struct{ strings.Builder }

const slabBytes = 4 << 10

// reserve makes space for n bytes.
func (b *slab) reserve(n int) {
	if b.Cap()-b.Len() < n {
		b.Builder = strings.Builder{}
		b.Grow(max(n, slabBytes))
	}
}

// add returns text as a string.
func (b *slab) add(text []byte) string {
	b.reserve(len(text))
	from := b.Len()
	b.Write(text)
	return b.String()[from:]
}

// join returns x followed by y.
func (b *slab) join(x, y string) string {
	b.reserve(len(x) + len(y))
	from := b.Len()
	b.WriteString(x)
	b.WriteString(y)
	return b.String()[from:]
}

// setBase sets the base of relative addresses: the href of a base element, itself relative to the
// address of the page, or else that address. If the page has no address, the canonical one is used.
func (n *inlines) setBase(canonical string) {
	n.baseSet = true
	base := absoluteURL(n.pageURL)
	if base == nil {
		base = absoluteURL(address(canonical))
	}
	if n.href != "" {
		if u, err := url.Parse(n.href); err == nil {
			if base != nil {
				u = base.ResolveReference(u)
			}
			if u.IsAbs() && u.Opaque == "" {
				base = u
			}
		}
	}
	if n.base = base; base != nil {
		n.scheme = base.Scheme + ":"
		n.host = (&url.URL{Scheme: base.Scheme, User: base.User, Host: base.Host}).String()
		if path := base.EscapedPath(); base.Host != "" && isPath(path) {
			n.folder = n.host + path[:strings.LastIndexByte(path, '/')+1]
			if path == "" {
				n.folder += "/"
			}
		}
	}
}

// absoluteURL parses an absolute address; it returns nil if s is not one.
func absoluteURL(s string) *url.URL {
	if u, err := url.Parse(strings.TrimSpace(s)); err == nil && u.IsAbs() && u.Opaque == "" && u.Host != "" {
		return u
	}
	return nil
}

// isPath reports whether ref is a path that does not begin with a dot, perhaps with query and
// fragment, that needs no resolving: no dot segments, nothing to escape.
func isPath(ref string) bool {
	for i := 1; i < len(ref); i++ {
		c := ref[i]
		if !inPath[c] && !isEscape(ref[i:]) || ref[i-1] == '/' && (c == '/' || c == '.') {
			return false
		}
	}
	return true
}

// isHostPath reports whether ref is a host after "//", perhaps with a path, that needs no resolving
// except for the scheme.
func isHostPath(ref string) bool {
	if !strings.HasPrefix(ref, "//") || strings.IndexByte(ref, '#') >= 0 {
		return false
	}
	i := 2
	for i < len(ref) && (isAlnum(ref[i]) || ref[i] == '-' || ref[i] == '.') {
		i++
	}
	return i > 2 && (i == len(ref) || ref[i] == '/' && isPath(ref[i:]))
}

func isAlnum(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' }

// isEscape reports whether s begins with an escaped byte, such as "%20".
func isEscape(s string) bool {
	return len(s) > 2 && s[0] == '%' && runes.IsHex(s[1]) && runes.IsHex(s[2])
}

// inPath holds the bytes that may be in an address after the host without being escaped.
var inPath = func() (t [256]bool) {
	for c := range t {
		t[c] = isLetter(byte(c)) || '0' <= c && c <= '9' || c < utf8.RuneSelf && strings.IndexByte("/.-_~?&=#+,;:@!$", byte(c)) >= 0
	}
	return t
}()

// scheme returns the scheme of ref in lower case; "" if it has none.
func scheme(ref string) string {
	for i := 0; i < len(ref); i++ {
		switch c := ref[i]; {
		case isLetter(c):
		case i > 0 && ('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.'):
		case i > 0 && c == ':':
			return strings.ToLower(ref[:i])
		default:
			return ""
		}
	}
	return ""
}
