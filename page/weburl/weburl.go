// Package weburl has the addresses of web pages as the WHATWG URL standard reads them, for
// http and https. [Parse] reads an address, [URL.Normalize] gives the form by which
// addresses are compared.
//
// [Parse] reads an address, or resolves a link against the page that it stands on,
// to the form that browsers would ask for. Plain ASCII addresses take a fast path,
// all others the parser of github.com/nlnwa/whatwg-url; both give the same.
// [URL.Normalize] takes out what does not change the page, [URL.Trap] names
// addresses that look endless, and [URL.Site] is the registered domain.
//
// A link's query is encoded in UTF-8, not in the encoding of its page.
package weburl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// MaxBytes bounds an address, before and after it is parsed.
const MaxBytes = 2048

// Errors of [Parse].
var (
	// ErrLong tells of an address of more than MaxBytes.
	ErrLong = errors.New("address of more than 2,048 bytes")
	// ErrScheme tells of an address that is not http or https, such as mailto:a@b.
	ErrScheme = errors.New("neither http nor https")
	// ErrInvalid tells of an address that the URL standard gives no reading for.
	ErrInvalid = errors.New("no valid address")
)

// URL is an absolute address with the scheme http or https. The zero URL is none.
// Two URLs are equal if they are the same address.
type URL struct {
	s string
	// Where parts of s begin; each is at the end of s if the part is missing.
	host, hostEnd, path, query, fragment uint16
}

// Parse reads an address as a browser does. A relative one is resolved against
// base, which may be nil. The URL shares no memory with raw.
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

// trim cuts what the standard does not count: control characters and blanks.
func trim(raw string) string {
	for raw != "" && raw[0] <= ' ' {
		raw = raw[1:]
	}
	for raw != "" && raw[len(raw)-1] <= ' ' {
		raw = raw[:len(raw)-1]
	}
	return raw
}

// schemeOf returns the scheme that raw begins with, "" if it begins with none.
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

// parseAny parses with the library.
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

// split finds the parts of an address in its standard form.
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

// withoutPort cuts the port from a host.
func withoutPort(host string) string {
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		return host[:i]
	}
	return host
}

// mark finds query and fragment.
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

// String returns the address; "" of the zero URL.
func (u URL) String() string { return u.s }

// IsZero reports whether u is no address.
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

// Host returns the host in ASCII and lower case, an IPv6 address in brackets.
func (u URL) Host() string { return u.s[u.host:u.hostEnd] }

// Port returns the port, stated or not.
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

// HostPort returns the host with the port if that is not the default one, as the
// field Host of a request has it.
func (u URL) HostPort() string { return u.s[u.host:u.path] }

// Root returns the address of the root of the server, "https://a.example/": what
// has one robots.txt.
func (u URL) Root() URL {
	r := URL{s: u.Scheme() + "://" + u.s[u.host:u.path] + "/"}
	r.host = uint16(len(u.Scheme()) + 3)
	r.hostEnd = r.host + u.hostEnd - u.host
	r.path = r.host + u.path - u.host
	r.mark()
	return r
}

// Path returns the path, "/" at least.
func (u URL) Path() string { return u.s[u.path:u.query] }

// Query returns the query without its question mark.
func (u URL) Query() string {
	if u.query == u.fragment {
		return ""
	}
	return u.s[u.query+1 : u.fragment]
}

// Target returns path and query as a request line has them, and as rules of
// robots.txt are compared with.
func (u URL) Target() string { return u.s[u.path:u.fragment] }
