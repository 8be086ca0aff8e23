// Package weburl implements http and https addresses by the WHATWG URL standard. [Parse] parses
// an address, and [URL.Normalize] returns the form in which addresses are compared.
//
// Parse resolves a link against the address of its page, to the form that browsers request.
// Plain ASCII addresses take a fast path; all others are parsed by github.com/nlnwa/whatwg-url.
// Both return the same result. [URL.Normalize] removes parts that do not affect the page.
// [URL.Trap] detects addresses that look endless.
//
// The query of a link is encoded in UTF-8, not in the encoding of its page.
package weburl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// MaxBytes is the maximum length of an address in bytes, before and after parsing.
const MaxBytes = 2048

// Errors of [Parse].
var (
	// ErrLong is returned for an address longer than MaxBytes.
	ErrLong = errors.New("address of more than 2,048 bytes")
	// ErrScheme is returned for an address that is not http or https, such as mailto:a@b.
	ErrScheme = errors.New("neither http nor https")
	// ErrInvalid is returned for an address that is invalid by the URL standard.
	ErrInvalid = errors.New("no valid address")
)

// URL is an absolute http or https address. The zero URL is no address. Two URLs are equal if
// they are the same address.
type URL struct {
	s string
	// Offsets of the parts of s. The offset of a missing part is the end of s.
	host, hostEnd, path, query, fragment uint16
}

// Parse parses an address as a browser does. A relative address is resolved against base, which
// may be nil. The URL shares no memory with raw.
func Parse(raw string, base *URL) (URL, error) {
	raw = trim(raw)
	if len(raw) > MaxBytes {
		return URL{}, ErrLong
	}
	if u, ok := parsePlain(raw, base); ok {
		return u, nil
	}
	if s := schemeOf(raw); s != "" && !strings.EqualFold(s, "http") && !strings.EqualFold(s, "https") {
		return URL{}, fmt.Errorf("%w: %s", ErrScheme, s)
	}
	return parseAny(raw, base)
}

// trim removes leading and trailing control characters and blanks, which the standard ignores.
func trim(raw string) string {
	for raw != "" && raw[0] <= ' ' {
		raw = raw[1:]
	}
	for raw != "" && raw[len(raw)-1] <= ' ' {
		raw = raw[:len(raw)-1]
	}
	return raw
}

// schemeOf returns the scheme of raw, "" if it has none.
func schemeOf(raw string) string {
	for i := range len(raw) {
		switch c := raw[i]; {
		case c == ':':
			return raw[:i]
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return ""
		}
	}
	return ""
}

// parseAny parses an address with the library.
func parseAny(raw string, base *URL) (URL, error) {
	raw = strings.ToValidUTF8(raw, "\ufffd")
	var p *url.Url
	var err error
	if base == nil || base.s == "" {
		p, err = parser().Parse(raw)
	} else {
		p, err = parser().ParseRef(base.s, raw)
	}
	if err != nil {
		return URL{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if s := p.Scheme(); s != "http" && s != "https" {
		return URL{}, fmt.Errorf("%w: %s", ErrScheme, s)
	}
	return split(p.Href(false))
}

// split locates the parts of an address in its standard form.
func split(s string) (URL, error) {
	if len(s) > MaxBytes {
		return URL{}, ErrLong
	}
	start := strings.Index(s, "//") + 2
	path := start + strings.IndexByte(s[start:], '/')
	if start < 2 || path < start {
		return URL{}, ErrInvalid
	}
	u := URL{s: s, path: uint16(path)}
	host := start + strings.LastIndexByte(s[start:path], '@') + 1
	end := host + len(withoutPort(s[host:path]))
	if end == host {
		return URL{}, fmt.Errorf("%w: no host", ErrInvalid)
	}
	u.host, u.hostEnd = uint16(host), uint16(end)
	u.mark()
	return u, nil
}

// withoutPort returns a host without its port.
func withoutPort(host string) string {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		return host[:i]
	}
	return host
}

// mark sets the offsets of query and fragment.
func (u *URL) mark() {
	end := len(u.s)
	u.fragment, u.query = uint16(end), uint16(end)
	if i := strings.IndexByte(u.s[u.path:], '#'); i >= 0 {
		end = int(u.path) + i
		u.fragment, u.query = uint16(end), uint16(end)
	}
	if i := strings.IndexByte(u.s[u.path:end], '?'); i >= 0 {
		u.query = u.path + uint16(i)
	}
}

// String returns the address, "" for the zero URL.
func (u URL) String() string { return u.s }

// IsZero reports whether u is the zero URL.
func (u URL) IsZero() bool { return u.s == "" }

// Scheme returns "http" or "https".
func (u URL) Scheme() string {
	if u.TLS() {
		return "https"
	}
	return u.s[:min(4, len(u.s))]
}

// TLS reports whether the scheme is https.
func (u URL) TLS() bool { return strings.HasPrefix(u.s, "https:") }

// Host returns the host in ASCII and lower case. An IPv6 address is in brackets.
func (u URL) Host() string { return u.s[u.host:u.hostEnd] }

// Port returns the port, or the default port of the scheme.
func (u URL) Port() int {
	if p := u.s[u.hostEnd:u.path]; p != "" {
		n, _ := strconv.Atoi(p[1:])
		return n
	}
	if u.TLS() {
		return 443
	}
	return 80
}

// HostPort returns the host, with the port unless it is the default, as in the Host field of a
// request.
func (u URL) HostPort() string { return u.s[u.host:u.path] }

// Root returns the address of the root of the server, such as "https://a.example/". One
// robots.txt applies to all addresses with the same root.
func (u URL) Root() URL {
	r := URL{s: u.Scheme() + "://" + u.s[u.host:u.path] + "/"}
	r.host = uint16(len(u.Scheme()) + 3)
	r.hostEnd = r.host + u.hostEnd - u.host
	r.path = r.host + u.path - u.host
	r.mark()
	return r
}

// Path returns the path, at least "/".
func (u URL) Path() string { return u.s[u.path:u.query] }

// Query returns the query without its question mark.
func (u URL) Query() string {
	if u.query == u.fragment {
		return ""
	}
	return u.s[u.query+1 : u.fragment]
}

// Target returns path and query, as in a request line and in the comparison with robots.txt
// rules.
func (u URL) Target() string { return u.s[u.path:u.fragment] }
