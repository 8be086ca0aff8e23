package robots

import (
	"chaffinch/page/weburl"
	"strings"
	"time"
)

// Group is what a robots.txt file says to one crawler. The zero Group allows all.
type Group struct {
	// Agent is the product token, in lower case, of the groups that were taken;
	// "*" for those of all crawlers, "" if there are neither.
	Agent string
	// Delay is the longest Crawl-delay, or the delay that keeps the Request-rate,
	// as written; 0 if none is. It never shortens what the crawler keeps anyway.
	Delay time.Duration

	rules       []rule // the longest first
	preferences []preference
}

// rule is a Rule with its pattern ready to be compared.
type rule struct {
	Rule
	match string
}

type preference struct {
	Preference
	match string
}

func (g *Group) add(rec record) {
	switch rec.field {
	case allowField, disallowField:
		if begins(rec.value) {
			g.rules = append(g.rules, rule{Rule{rec.line, rec.field == allowField, rec.value}, pattern(rec.value)})
		}
	case delayField:
		g.Delay = max(g.Delay, duration(seconds(rec.value)))
	case rateField:
		g.Delay = max(g.Delay, duration(rate(rec.value)))
	case usageField, signalField:
		p := preference{Preference: Preference{Field: "content-usage", Value: rec.value, Line: rec.line}}
		if rec.field == signalField {
			p.Field = "content-signal"
		}
		if begins(p.Value) {
			n := strings.IndexAny(p.Value+" ", blank)
			p.Pattern, p.Value = p.Value[:n], strings.Trim(p.Value[n:], blank)
			p.match = pattern(p.Pattern)
		}
		if p.Value != "" {
			g.preferences = append(g.preferences, p)
		}
	}
}

// begins reports whether a path pattern begins as one can that matches a path.
func begins(pattern string) bool {
	return pattern != "" && (pattern[0] == '/' || pattern[0] == '*')
}

// Allowed reports whether a path (with its query, as in a request) may be fetched,
// and the line that decided: the longest that matches, of equal ones Allow. The
// file /robots.txt itself always may.
func (g *Group) Allowed(path string) (bool, Rule) {
	if path == "/robots.txt" {
		return true, Rule{}
	}
	path = comparing(path)
	for i := range g.rules {
		if matches(g.rules[i].match, path) {
			return g.rules[i].Allow, g.rules[i].Rule
		}
	}
	return true, Rule{}
}

// Preferences returns what is said of the use of a path: for each field the lines
// with the longest pattern that matches, in their order.
func (g *Group) Preferences(path string) (found []Preference) {
	if len(g.preferences) == 0 {
		return nil
	}
	path = comparing(path)
	longest := map[string]int{}
	for _, p := range g.preferences {
		if matches(p.match, path) {
			longest[p.Field] = max(longest[p.Field], len(p.match))
		}
	}
	for _, p := range g.preferences {
		if n, ok := longest[p.Field]; ok && n == len(p.match) && matches(p.match, path) {
			found = append(found, p.Preference)
		}
	}
	return found
}

// matches reports whether a pattern matches the beginning of a path, or with a $
// at its end all of it. It takes the first place of each part between stars: a
// later one could only leave less for the rest.
func matches(pattern, path string) bool {
	pattern, whole := strings.CutSuffix(pattern, "$")
	part, rest, more := strings.Cut(pattern, "*")
	if !strings.HasPrefix(path, part) {
		return false
	}
	path = path[len(part):]
	for more {
		part, rest, more = strings.Cut(rest, "*")
		if whole && !more {
			return strings.HasSuffix(path, part)
		}
		i := strings.Index(path, part)
		if i < 0 {
			return false
		}
		path = path[i+len(part):]
	}
	return !whole || path == ""
}

// pattern brings the path of a rule into the form of [comparing]. Its stars
// and the $ at its end keep their meaning.
func pattern(s string) string {
	body, end := strings.CutSuffix(s, "$")
	if body = normal(body, "$"); end {
		return body + "$"
	}
	return body
}

// comparing brings a path into the form in which octets are compared (section
// 2.2.2): unreserved characters as such, all that is neither unreserved nor
// reserved percent-encoded, in upper case. The characters that are special in
// patterns are encoded.
func comparing(path string) string {
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	return normal(path, "*$")
}

// normal does so; it encodes the characters of special too.
func normal(s, special string) string {
	i := 0
	for i < len(s) && kinds[s[i]] == plain && strings.IndexByte(special, s[i]) < 0 {
		i++
	}
	if i == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)+16), s[:i]...)
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case kinds[c] == encoded, strings.IndexByte(special, c) >= 0:
			b = weburl.AppendOctet(b, c)
		case c == '%':
			octet, ok := weburl.Octet(s, i)
			if !ok {
				b = append(b, c)
				continue
			}
			if unreserved(octet) {
				b = append(b, octet)
			} else {
				b = weburl.AppendOctet(b, octet)
			}
			i += 2
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// The kinds of octets in a path.
const (
	plain   = iota // stays
	encoded        // is percent-encoded
	escape         // begins an encoded octet
)

var kinds = func() (k [256]byte) {
	for c := range k {
		switch {
		case c == '%':
			k[c] = escape
		case !unreserved(byte(c)) && strings.IndexByte(":/?#[]@!$&'()*+,;=", byte(c)) < 0:
			k[c] = encoded
		}
	}
	return k
}()

// unreserved tells the characters that mean the same encoded or not (RFC 3986,
// section 2.3).
func unreserved(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}
