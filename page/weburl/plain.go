package weburl

import (
	"net/netip"
	"strings"
)

// The parts of an address, as bits, in which a character needs no encoding.
const (
	inHost = 1 << iota
	inPath
	inQuery
	inFragment
)

var places = func() (k [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		k[c] = inHost | inPath | inQuery | inFragment
		k[c-0x20] = inHost | inPath | inQuery | inFragment
	}
	for c := '0'; c <= '9'; c++ {
		k[c] = inHost | inPath | inQuery | inFragment
	}
	for _, c := range "-._~!$&()*+,;=:@%/|" {
		k[c] |= inPath | inQuery | inFragment
	}
	for _, c := range "[]" {
		k[c] |= inPath | inQuery
	}
	k['?'] |= inQuery | inFragment
	k['\''] |= inPath | inFragment
	k['-'] |= inHost
	k['.'] |= inHost
	k['_'] |= inHost
	return k
}()

// run returns the length of the longest prefix of s whose characters need no encoding in place.
func run(s string, place uint8) int {
	for i := range len(s) {
		if places[s[i]]&place == 0 {
			return i
		}
	}
	return len(s)
}

// parsePlain parses addresses that need no change, except for being appended to the base. ok
// reports whether raw is such an address.
func parsePlain(raw string, base *URL) (u URL, ok bool) {
	switch {
	case strings.HasPrefix(raw, "https://"):
		return plainAbsolute("", raw, 8)
	case strings.HasPrefix(raw, "http://"):
		return plainAbsolute("", raw, 7)
	case base == nil || base.s == "":
		return URL{}, false
	case strings.HasPrefix(raw, "//"):
		scheme := base.s[:strings.IndexByte(base.s, ':')+1]
		return plainAbsolute(scheme, raw, 2)
	case raw == "":
		return plainRelative(base, int(base.fragment), raw)
	}
	switch raw[0] {
	case '#':
		return plainRelative(base, int(base.fragment), raw)
	case '?':
		return plainRelative(base, int(base.query), raw)
	case '/':
		return plainRelative(base, int(base.path), raw)
	}
	if schemeOf(raw) != "" || dotted(raw) {
		return URL{}, false
	}
	folder := strings.LastIndexByte(base.s[:base.query], '/') + 1
	return plainRelative(base, folder, raw)
}

// plainAbsolute parses an address whose host begins at raw[host]. The scheme is prepended if raw
// lacks it. ok reports whether the address needs no other change.
func plainAbsolute(scheme, raw string, host int) (u URL, ok bool) {
	n := run(raw[host:], inHost)
	end := host + n
	if !plainHost(raw[host:end]) {
		return URL{}, false
	}
	path := end + plainPort(raw[end:], strings.HasPrefix(scheme+raw[:host], "https"))
	slash := ""
	if path == len(raw) || raw[path] == '?' || raw[path] == '#' {
		slash = "/"
	} else if raw[path] != '/' { // another port, credentials, or other letters
		return URL{}, false
	}
	if !plainRest(raw[path:]) {
		return URL{}, false
	}
	at := len(scheme)
	u = URL{host: uint16(at + host), hostEnd: uint16(at + end), path: uint16(at + path)}
	if name := strings.ToLower(raw[host:end]); at == 0 && slash == "" && name == raw[host:end] {
		u.s = strings.Clone(raw)
	} else {
		u.s = scheme + raw[:host] + name + raw[end:path] + slash + raw[path:]
	}
	if len(u.s) > MaxBytes {
		return URL{}, false
	}
	u.mark()
	return u, true
}

// plainRelative appends raw to the first n bytes of base, and reports whether raw needs no
// change.
func plainRelative(base *URL, n int, raw string) (u URL, ok bool) {
	if !plainRest(raw) || n+len(raw) > MaxBytes {
		return URL{}, false
	}
	u = *base
	u.s = base.s[:n] + raw
	u.mark()
	return u, true
}

// plainPort returns the length of the port at the beginning of s, with its colon, if it needs
// no change. It returns 0 otherwise.
func plainPort(s string, tls bool) int {
	n := 1
	for n < len(s) && n <= len("65535") && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if s == "" || s[0] != ':' || n == 1 || s[1] == '0' || n == len(":65535") && s[1:n] > "65535" {
		return 0
	}
	if port := s[1:n]; tls && port == "443" || !tls && port == "80" {
		return 0
	}
	return n
}

// plainHost reports whether an ASCII host is a name that the standard only lower-cases, or an
// IPv4 address in its usual form. Names have no empty label. Labels in Punycode are accepted
// even if they are invalid.
func plainHost(host string) bool {
	label := 0
	for i := 0; i <= len(host); i++ {
		if i < len(host) && host[i] != '.' {
			continue
		}
		if i == label {
			return false
		}
		if i == len(host) && host[label] <= '9' {
			a, err := netip.ParseAddr(host) // which accepts no other form of IPv4
			return err == nil && a.Is4()
		}
		label = i + 1
	}
	return true
}

// plainRest reports whether path, query and fragment need no change.
func plainRest(rest string) bool {
	i := 0
	if rest != "" && rest[0] != '?' && rest[0] != '#' {
		i = run(rest, inPath)
		for at := 0; at < i; at++ {
			if rest[at] == '/' && dotted(rest[at+1:i]) {
				return false
			}
		}
	}
	if i < len(rest) && rest[i] == '?' {
		i += 1 + run(rest[i+1:], inQuery)
	}
	if i < len(rest) && rest[i] == '#' {
		i += 1 + run(rest[i+1:], inFragment)
	}
	return i == len(rest)
}

// dotted reports whether a segment may consist of dots, which are resolved.
func dotted(segment string) bool {
	return segment != "" && (segment[0] == '.' || len(segment) > 2 && segment[0] == '%' && segment[1] == '2' && segment[2]|0x20 == 'e')
}
