package robots

import (
	"strings"
	"time"

	"chaffinch/page/weburl"
)

// Group holds the rules of a robots.txt file for one crawler. The zero Group allows everything.
type Group struct {
	// Agent is the product token of the merged groups, in lower case. It is "*" for the groups for
	// all crawlers, "" if there are no groups.
	Agent string
	// Delay is the longest delay of Crawl-delay and Request-rate lines; 0 if there are none. It
	// never shortens the crawler's own delay.
	Delay time.Duration

	rules       []rule // longest first
	preferences []preference
}

// rule is a Rule with its normalized pattern.
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
		if canMatchPath(rec.value) {
			g.rules = append(g.rules, rule{Rule{rec.line, rec.field == allowField, rec.value}, normalizePattern(rec.value)})
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
		if canMatchPath(p.Value) {
			n := strings.IndexAny(p.Value+" ", whitespace)
			p.Pattern, p.Value = p.Value[:n], strings.Trim(p.Value[n:], whitespace)
			p.match = normalizePattern(p.Pattern)
		}
		if p.Value != "" {
			g.preferences = append(g.preferences, p)
		}
	}
}

// canMatchPath reports whether a pattern can match a path, by its first character.
func canMatchPath(pattern string) bool {
	return pattern != "" && (pattern[0] == '/' || pattern[0] == '*')
}

// Allowed reports whether a path, with its query as in a request, may be fetched, and returns the
// rule that decided: the longest one that matches, Allow before Disallow. The path /robots.txt is
// always allowed.
func (g *Group) Allowed(path string) (bool, Rule) {
	if path == "/robots.txt" {
		return true, Rule{}
	}
	path = normalizePath(path)
	for i := range g.rules {
		if matches(g.rules[i].match, path) {
			return g.rules[i].Allow, g.rules[i].Rule
		}
	}
	return true, Rule{}
}

// Preferences returns the preferences for the use of a path: for each field the lines with the
// longest matching pattern, in order.
func (g *Group) Preferences(path string) (found []Preference) {
	if len(g.preferences) == 0 {
		return nil
	}
	path = normalizePath(path)
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

// matches reports whether a pattern matches the start of a path or, if it ends in $, the whole
// path. The first match of each part between stars suffices, since later ones leave less for the
// rest.
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

// normalizePattern normalizes the path of a rule like [normalizePath], but keeps stars and a $ at its end.
func normalizePattern(s string) string {
	body, end := strings.CutSuffix(s, "$")
	if body = normalizeOctets(body, "$"); end {
		return body + "$"
	}
	return body
}

// normalizePath normalizes a path for the comparison of octets (section 2.2.2): unreserved characters
// are decoded, octets that are neither unreserved nor reserved are percent-encoded in upper case.
// The special characters of patterns are encoded.
func normalizePath(path string) string {
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	return normalizeOctets(path, "*$")
}

// normalizeOctets normalizes s. It also encodes the characters in special.
func normalizeOctets(s, special string) string {
	i := 0
	for i < len(s) && octetKinds[s[i]] == plain && strings.IndexByte(special, s[i]) < 0 {
		i++
	}
	if i == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)+16), s[:i]...)
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case octetKinds[c] == encoded, strings.IndexByte(special, c) >= 0:
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

// Kinds of octets in a path.
const (
	plain   = iota // kept
	encoded        // percent-encoded
	escape         // may begin an encoded octet
)

var octetKinds = func() (k [256]byte) {
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

// unreserved reports whether c is an unreserved character (RFC 3986, section 2.3).
func unreserved(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}
