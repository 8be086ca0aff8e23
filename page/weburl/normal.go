package weburl

import (
	"strings"

	"chaffinch/internal/sets"
)

// useless holds the names, in lower case, of parameters that only identify the origin of a
// visitor.
var useless = sets.Words(`
	gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid _ga _gl
	fbclid fb_action_ids fb_action_types fb_ref fb_source
	msclkid yclid ysclid twclid ttclid li_fat_id igsh igshid epik srsltid
	mc_cid mc_eid _hsenc _hsmi hsctatracking mkt_tok _openstat vero_id oly_anon_id oly_enc_id
	wickedid rb_clickid s_cid ml_subscriber ml_subscriber_hash __twitter_impression ref_src`)

// uselessPrefixes are prefixes of the names of such parameters.
var uselessPrefixes = []string{"utm_", "mtm_", "pk_", "hsa_", "matomo_", "piwik_"}

// sessions holds the names, in lower case, of parameters that always identify a session.
var sessions = sets.Words("jsessionid phpsessid cfid cftoken aspsessionid oscsid zenid")

// maybeSessions holds the names of parameters that identify a session if their value looks like
// a session id.
var maybeSessions = sets.Words("sid s sess sessid sessionid session_id session psid")

// Normalize returns the address by which a page is identified. It removes the fragment,
// credentials, session ids, parameters that only identify the origin of a visitor, and the dot
// after the host. Characters are percent-encoded, in upper case, only where the encoding
// matters.
func (u URL) Normalize() URL {
	if u.isNormal() {
		return u
	}
	var b strings.Builder
	b.Grow(len(u.s))
	b.WriteString(u.Scheme())
	b.WriteString("://")
	host := u.Host()
	if h := strings.TrimSuffix(host, "."); h != "" && !strings.HasSuffix(h, ".") { // two dots do not end a name
		host = h
	}
	b.WriteString(host)
	b.WriteString(u.s[u.hostEnd:u.path])
	b.WriteString(withoutSession(unescape(u.Path())))
	mark := byte('?')
	for p := range strings.SplitSeq(unescape(u.Query()), "&") {
		if p != "" && !isUseless(p) {
			b.WriteByte(mark)
			b.WriteString(p)
			mark = '&'
		}
	}
	n, err := Parse(b.String(), nil)
	if err != nil { // invalid after the removal: keep the original
		return u
	}
	return n
}

// isNormal reports whether u certainly needs no change, as most addresses.
func (u URL) isNormal() bool {
	return u.query == uint16(len(u.s)) && strings.IndexByte(u.s, '%') < 0 && strings.IndexByte(u.s, ';') < 0 && strings.IndexByte(u.s, '(') < 0 &&
		int(u.host) == len(u.Scheme())+3 && u.s[u.hostEnd-1] != '.'
}

// withoutSession removes session ids from a path: parameters after a semicolon and the (S(...))
// of ASP.NET.
func withoutSession(path string) string {
	for at := 0; ; {
		i := strings.IndexByte(path[at:], ';')
		if i < 0 {
			break
		}
		i += at
		end := i + 1
		for end < len(path) && path[end] != ';' && path[end] != '/' {
			end++
		}
		if IsSession(path[i+1 : end]) {
			path, at = path[:i]+path[end:], i
		} else {
			at = end
		}
	}
	if i := strings.Index(path, "/(S("); i >= 0 {
		if end := strings.Index(path[i:], "))/"); end == len("/(S(")+24 && alphanumeric(path[i+4:i+end]) {
			path = path[:i] + path[i+end+2:]
		}
	}
	return path
}

// isUseless reports whether a query parameter does not affect the page.
func isUseless(p string) bool {
	name, _, _ := strings.Cut(p, "=")
	name = strings.ToLower(name)
	for _, prefix := range uselessPrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return useless[name] || IsSession(p)
}

// IsSession reports whether a parameter of a query or path, such as "phpsessid=1", identifies a
// session. Names with other uses, such as sid for the number of a story, need a value of 32 letters
// and digits.
func IsSession(p string) bool {
	name, value, ok := strings.Cut(p, "=")
	name = strings.ToLower(name)
	if sessions[name] || strings.HasPrefix(name, "aspsessionid") {
		return true
	}
	return ok && maybeSessions[name] && len(value) == 32 && alphanumeric(value)
}

func alphanumeric(s string) bool {
	for i := range len(s) {
		if c := s[i] | 0x20; (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return true
}

// unescape decodes characters that have the same meaning percent-encoded or not (RFC 3986,
// section 2.3) and writes other encodings in upper case.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c, ok := Octet(s, i)
		if !ok {
			b = append(b, s[i])
			continue
		}
		if alphanumeric(string(c)) || strings.IndexByte("-._~", c) >= 0 {
			b = append(b, c)
		} else {
			b = AppendOctet(b, c)
		}
		i += 2
	}
	return string(b)
}
