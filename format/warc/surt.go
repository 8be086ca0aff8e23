package warc

import (
	"net/url"
	"path"
	"slices"
	"sort"
	"strings"

	"chaffinch/internal/lazyregexp"
	"chaffinch/page/weburl"
)

// session matches session parameters, which crawlers omit from keys.
var session = lazyregexp.New(`^(.*?)(?:jsessionid=[0-9a-z]{32}|phpsessid=[0-9a-z]{32}|sid=[0-9a-z]{32}|` +
	`aspsessionid[a-z]{8}=[a-z]{24}|cfid=[^&]+&cftoken=[^&]+)(?:&(.*))?$`)

// SURT returns the sort-friendly form of an address (Sort-friendly URI Reordering
// Transform), which indexes use as key. It applies the normalisations of the Internet
// Archive's canonicalizer. Scheme, "www" and default port are removed, the host is reversed,
// and letters are in lower case. Dots and percent signs are resolved, and parameters are
// sorted. "http://www.Example.org/A?b=2&a=1" gives "org,example)/a?a=1&b=2".
func SURT(uri string) string {
	u, err := url.Parse(strings.ReplaceAll(strings.TrimSpace(uri), `\`, "%5C"))
	if err != nil || u.Host == "" {
		return strings.ToLower(uri)
	}
	host := strings.Trim(strings.ToLower(u.Hostname()), ".")
	if ascii, err := weburl.HostToASCII(host); err == nil {
		host = ascii
	}
	var b strings.Builder
	if strings.Contains(host, ":") {
		b.WriteString(host)
	} else {
		labels := strings.Split(stripWWW(host), ".")
		slices.Reverse(labels)
		b.WriteString(strings.Join(labels, ","))
	}
	if p := u.Port(); p != "" && !(u.Scheme == "http" && p == "80") && !(u.Scheme == "https" && p == "443") {
		b.WriteString(":" + p)
	}
	b.WriteByte(')')
	p := unescape(u.EscapedPath())
	if p = path.Clean("/" + p); p != "/" || u.Path == "" {
		p = strings.TrimSuffix(p, "/")
	}
	if p == "" {
		p = "/"
	}
	b.WriteString(escape(strings.ToLower(p)))
	q := strings.ToLower(unescape(u.RawQuery))
	if m := session().FindStringSubmatch(q); m != nil {
		q = strings.Trim(m[1]+m[2], "&")
	}
	if q != "" {
		args := strings.Split(q, "&")
		sort.Strings(args)
		b.WriteString("?" + escape(strings.Join(args, "&")))
	}
	return b.String()
}

// unescape decodes percent escapes repeatedly, at most 4 times.
func unescape(s string) string {
	for range 4 {
		t := hexByte().ReplaceAllStringFunc(s, func(m string) string {
			return string([]byte{byte(hexValue(m[1])<<4 | hexValue(m[2]))})
		})
		if t == s {
			break
		}
		s = t
	}
	return s
}

var hexByte = lazyregexp.New(`%[0-9A-Fa-f]{2}`)

func hexValue(c byte) int {
	if c <= '9' {
		return int(c - '0')
	}
	return int(c|0x20-'a') + 10
}

// escape percent-encodes control characters, blanks, "#", "%" and non-ASCII characters.
func escape(s string) string {
	var b strings.Builder
	const digits = "0123456789abcdef"
	for i := range len(s) {
		c := s[i]
		if c <= 0x20 || c >= 0x7f || c == '#' || c == '%' {
			b.WriteString("%" + digits[c>>4:c>>4+1] + digits[c&15:c&15+1])
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// stripWWW removes "www." and prefixes like "www2." from a host.
func stripWWW(host string) string {
	rest, ok := strings.CutPrefix(host, "www")
	if !ok {
		return host
	}
	if rest = strings.TrimLeft(rest, "0123456789"); strings.HasPrefix(rest, ".") {
		return rest[1:]
	}
	return host
}
