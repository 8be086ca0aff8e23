package exact

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"
	"unicode"

	"chaffinch/page/weburl"
)

// tracking holds names of query parameters that do not affect the page.
var tracking = map[string]bool{
	"gclid": true, "gclsrc": true, "dclid": true, "wbraid": true, "gbraid": true, "fbclid": true, "msclkid": true, "yclid": true,
	"twclid": true, "ttclid": true, "igshid": true, "mc_cid": true, "mc_eid": true, "_ga": true, "_gl": true, "_hsenc": true, "_hsmi": true,
	"mkt_tok": true, "vero_id": true, "oly_anon_id": true, "oly_enc_id": true, "wickedid": true, "ref_src": true, "cmpid": true, "s_cid": true,
}

// indexPages holds the file names that most servers treat as their folder.
var indexPages = map[string]bool{
	"index.html": true, "index.htm": true, "index.php": true, "index.shtml": true, "index.asp": true, "index.aspx": true, "index.jsp": true,
	"default.asp": true, "default.aspx": true, "default.htm": true, "default.html": true,
}

// NormalizeURL returns a common form of addresses that probably give the same page,
// without fetching them. It applies the syntax-based normalisation of RFC 3986,
// section 6.2.2 (case, percent-encoding, dot segments).
//
// It also applies the usual rules of crawlers: https becomes http, and host names
// become ASCII without a final dot. It removes the default port, the user, the
// fragment, index pages, final slashes, session ids ([weburl.IsSession]) and tracking
// parameters. It sorts the remaining parameters. If www is set, www.example.org becomes
// example.org. An address without a host is returned with only the surrounding white space
// removed.
func NormalizeURL(url string, www bool) string {
	url = strings.TrimSpace(url)
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		if !strings.HasPrefix(url, "//") {
			return url
		}
		scheme, rest = "http", url[2:]
	}
	scheme = strings.ToLower(scheme)
	if scheme == "https" {
		scheme = "http"
	}
	rest, _, _ = strings.Cut(rest, "#")
	end := strings.IndexAny(rest, "/?\\")
	if end < 0 {
		end = len(rest)
	}
	host := hostOf(rest[:end], scheme, www)
	if host == "" {
		return url
	}
	path, query, _ := strings.Cut(rest[end:], "?")
	out := scheme + "://" + host + pathOf(path)
	if q := queryOf(query); q != "" {
		out += "?" + q
	}
	return out
}

// hostOf normalises user, host and port.
func hostOf(authority, scheme string, www bool) string {
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	host, port := authority, ""
	if i := strings.LastIndexByte(authority, ':'); i >= 0 && !strings.Contains(authority[i:], "]") {
		host, port = authority[:i], strings.TrimLeft(authority[i+1:], "0")
	}
	if strings.HasPrefix(host, "[") {
		a, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if err != nil || a.Zone() != "" {
			return ""
		}
		host = "[" + a.String() + "]"
	} else {
		host = strings.Trim(strings.ToLower(decoded(host)), ".")
		if a, err := weburl.HostToASCII(host); err == nil {
			host = a
		}
		if strings.ContainsAny(host, " :@[]%/\\?#") || strings.ContainsFunc(host, unicode.IsControl) {
			return ""
		}
	}
	if port != "" && strings.Trim(port, "0123456789") != "" {
		return ""
	}
	if www {
		host = strings.TrimPrefix(host, "www.")
	}
	if port != "" && !(scheme == "http" && (port == "80" || port == "443")) && !(scheme == "ftp" && port == "21") {
		host += ":" + port
	}
	return host
}

// pathOf normalises a path.
func pathOf(path string) string {
	path = reencoded(strings.ReplaceAll(path, "\\", "/"), "/;=")
	var parts []string
	for _, p := range strings.Split(path, "/") {
		if name, session, ok := strings.Cut(p, ";"); ok && (weburl.IsSession(session) || tracking[strings.ToLower(beforeEqual(session))]) {
			p = name
		}
		switch p {
		case "", ".":
		case "..":
			parts = parts[:max(len(parts)-1, 0)]
		default:
			parts = append(parts, p)
		}
	}
	if n := len(parts); n > 0 && indexPages[strings.ToLower(parts[n-1])] {
		parts = parts[:n-1]
	}
	return "/" + strings.Join(parts, "/")
}

// queryOf normalises a query.
func queryOf(query string) string {
	var params []string
	for p := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' }) {
		p = reencoded(p, "=+")
		name := strings.ToLower(beforeEqual(p))
		if name == "" || tracking[name] || strings.HasPrefix(name, "utm_") || weburl.IsSession(p) {
			continue
		}
		params = append(params, p)
	}
	slices.SortStableFunc(params, func(a, b string) int { return cmp.Or(cmp.Compare(beforeEqual(a), beforeEqual(b)), cmp.Compare(a, b)) })
	return strings.Join(params, "&")
}

func beforeEqual(s string) string {
	s, _, _ = strings.Cut(s, "=")
	return s
}

// reencoded decodes characters that need no percent-encoding and encodes characters
// that need it. Encoded characters of keep stay encoded, since they are syntax here.
func reencoded(s, keep string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c, encoded := weburl.Octet(s, i)
		if encoded {
			i += 2
		} else {
			c = s[i]
		}
		switch {
		case unreserved(c), !encoded && c > ' ' && c < 0x7f && !strings.ContainsRune(`"%<>\^{|}`+"`", rune(c)):
			if encoded && strings.IndexByte(keep, c) >= 0 {
				b = weburl.AppendOctet(b, c)
			} else {
				b = append(b, c)
			}
		default:
			b = weburl.AppendOctet(b, c)
		}
	}
	return string(b)
}

// unreserved reports whether c is unreserved in RFC 3986, section 2.3.
func unreserved(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

// decoded decodes all percent-encoded bytes of s.
func decoded(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if c, ok := weburl.Octet(s, i); ok {
			b = append(b, c)
			i += 2
		} else {
			b = append(b, s[i])
		}
	}
	return string(b)
}
