package weburl

import (
	"strings"
)

// useless has the parameters that only tell where a reader came from, in lower
// case.
var useless = set(`
	gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid _ga _gl
	fbclid fb_action_ids fb_action_types fb_ref fb_source
	msclkid yclid ysclid twclid ttclid li_fat_id igsh igshid epik srsltid
	mc_cid mc_eid _hsenc _hsmi hsctatracking mkt_tok _openstat vero_id oly_anon_id oly_enc_id
	wickedid rb_clickid s_cid ml_subscriber ml_subscriber_hash __twitter_impression ref_src`)

// uselessPrefixes begin the names of such parameters.
var uselessPrefixes = []string{"utm_", "mtm_", "pk_", "hsa_", "matomo_", "piwik_"}

// sessions has the parameters that always name a session, in lower case.
var sessions = set("jsessionid phpsessid cfid cftoken aspsessionid oscsid zenid")

// maybeSessions has those that do if their value looks like one.
var maybeSessions = set("sid s sess sessid sessionid session_id session psid")

func set(names string) map[string]bool {
	m := map[string]bool{}
	for n := range strings.FieldsSeq(names) {
		m[n] = true
	}
	return m
}

// Normalize returns the address under which a page is known: without fragment,
// credentials, session ids, parameters that only tell where a reader came from and
// the dot behind the host; with characters percent-encoded only where that matters,
// in upper case.
func (u URL) Normalize() URL {
	if u.isNormal() {
		return u
	}
	var b strings.Builder
	b.Grow(len(u.s))
	b.WriteString(u.Scheme())
	b.WriteString("://")
	host := u.Host()
	if h := strings.TrimSuffix(host, "."); h != "" && !strings.HasSuffix(h, ".") { // two are no name's
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
	if err != nil { // what was taken out made it invalid: leave it
		return u
	}
	return n
}

// isNormal reports whether nothing can be to do, as for most addresses.
func (u URL) isNormal() bool {
	return u.query == uint16(len(u.s)) && strings.IndexByte(u.s, '%') < 0 && strings.IndexByte(u.s, ';') < 0 && strings.IndexByte(u.s, '(') < 0 &&
		int(u.host) == len(u.Scheme())+3 && u.s[u.hostEnd-1] != '.'
}

// withoutSession takes session ids out of a path, and nothing else: parameters
// behind a semicolon and the (S(...)) of ASP.NET.
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
		if isSession(path[i+1 : end]) {
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

// isUseless reports whether a parameter of a query does not change the page.
func isUseless(p string) bool {
	name, _, _ := strings.Cut(p, "=")
	name = strings.ToLower(name)
	for _, prefix := range uselessPrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return useless[name] || isSession(p)
}

// isSession reports whether a parameter names a session.
func isSession(p string) bool {
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

// unescape decodes what means the same percent-encoded or not (RFC 3986, section
// 2.3) and writes the rest in upper case.
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
