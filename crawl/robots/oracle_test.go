package robots

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What follows reads robots.txt files a second time, slowly and in another way:
// line by line with regular expressions, every rule as one, all of them tried. It
// shares nothing with the package but the names of the fields.

var (
	endOfLine = regexp.MustCompile(`\r\n|\r|\n`)
	tag       = regexp.MustCompile(`<[^>]*(>|$)`)
	withColon = regexp.MustCompile(`(?s)^([^:]*):(.*)$`)
	without   = regexp.MustCompile(`(?s)^([^ \t\v\f\x00]+)[ \t\v\f\x00]+([^ \t\v\f\x00]+)$`)
	token     = regexp.MustCompile(`^[A-Za-z0-9_-]+`)
	octet     = regexp.MustCompile(`(?s)%[0-9A-Fa-f]{2}|.`)
	literal   = regexp.MustCompile(`^[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]$`)
	oneOf     = regexp.MustCompile(`^[A-Za-z0-9._~-]$`)
)

// simply returns whether path may be fetched, and the length of the rule.
func simply(file []byte, agent, path string) (allowed bool, length int) {
	text := string(toUTF8(file))
	if len(text) > MaxBytes {
		text = text[:MaxBytes]
		text = text[:strings.LastIndexAny(text, "\r\n")+1]
	}
	html := strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "<")
	type group struct {
		agents []string
		rules  [][2]string
	}
	groups := []*group{{}}
	for _, line := range endOfLine.Split(text, -1) {
		line = line[:min(len(line), maxLine)]
		if html {
			line = tag.ReplaceAllString(line, "")
		}
		line = strings.Trim(strings.Split(line, "#")[0], whitespace)
		m := withColon.FindStringSubmatch(line)
		if m == nil {
			if m = without.FindStringSubmatch(line); m == nil {
				continue
			}
		}
		value := strings.Trim(m[2], whitespace)
		g := groups[len(groups)-1]
		switch fieldOf(strings.Trim(m[1], whitespace)) {
		case agentField:
			if len(g.rules) > 0 || len(groups) == 1 {
				g = &group{}
				groups = append(groups, g)
			}
			for _, a := range strings.Split(value, ",") {
				a = strings.Trim(a, whitespace)
				if regexp.MustCompile(`^\*([ \t].*)?$`).MatchString(a) {
					a = "*"
				} else {
					a = strings.ToLower(token.FindString(a))
				}
				g.agents = append(g.agents, a)
			}
		case allowField:
			g.rules = append(g.rules, [2]string{"allow", value})
		case disallowField:
			g.rules = append(g.rules, [2]string{"disallow", value})
		}
	}
	names := func(g *group, agent string) bool {
		for _, a := range g.agents {
			if a != "" && a == strings.ToLower(agent) {
				return true
			}
		}
		return false
	}
	own := false
	for _, g := range groups {
		own = own || names(g, agent)
	}
	if !own {
		agent = "*"
	}
	allowed, length = true, -1
	if path == "/robots.txt" {
		return true, -1
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	for _, g := range groups {
		if !names(g, agent) {
			continue
		}
		for _, r := range g.rules {
			if !strings.HasPrefix(r[1], "/") && !strings.HasPrefix(r[1], "*") {
				continue
			}
			if len(octets(strings.ReplaceAll(r[1], "*", ""))) > len(spelt(path))+1 {
				continue // too long to match: spares compiling it
			}
			pattern, n := asExpression(r[1])
			if !pattern.MatchString(spelt(path)) {
				continue
			}
			if n > length {
				allowed, length = r[0] == "allow", n
			} else if n == length && r[0] == "allow" {
				allowed = true
			}
		}
	}
	return allowed, length
}

// spelt writes a path as it is compared: character by character, encoded octets
// with their three.
func spelt(path string) string {
	var b strings.Builder
	for _, o := range octets(path) {
		b.WriteString(code(o))
	}
	return b.String()
}

func octets(s string) (all []string) {
	for s != "" {
		n := 1
		if octet.FindString(s) != "" && s[0] == '%' && len(octet.FindString(s)) == 3 {
			n = 3
		}
		all = append(all, s[:n])
		s = s[n:]
	}
	return all
}

// code returns the characters for an octet. A character that has a meaning in
// patterns is as good as encoded.
func code(o string) string {
	if len(o) == 3 {
		v, _ := strconv.ParseUint(o[1:], 16, 8)
		if decoded := string([]byte{byte(v)}); oneOf.MatchString(decoded) {
			return decoded
		}
		return strings.ToUpper(o)
	}
	if o == "*" || o == "$" || !literal.MatchString(o) {
		return "%" + strings.ToUpper(strconv.FormatUint(uint64(o[0])+256, 16))[1:]
	}
	return o
}

// asExpression turns a rule into a regular expression over spelt paths; n is the
// length of the rule in its normal form.
func asExpression(rule string) (*regexp.Regexp, int) {
	var b strings.Builder
	b.WriteString("^")
	n := 0
	all := octets(rule)
	for i, o := range all {
		switch {
		case o == "*":
			b.WriteString(".*")
			n++
		case o == "$" && i == len(all)-1:
			b.WriteString("$")
			n++
		default:
			c := code(o)
			b.WriteString(regexp.QuoteMeta(c))
			n += len(c)
		}
	}
	return regexp.MustCompile(b.String()), n
}

// FuzzAllowed wants both readings to agree, and the line that decided to have the
// length that decided.
func FuzzAllowed(f *testing.F) {
	f.Add([]byte("User-agent: *\nDisallow: /a*b$\nAllow: /é%2a\n"), "chaffinch", "/a%2fb")
	f.Add([]byte("<pre>user-agent: a, chaffinch\r\ndisallow /x\rAllow: *%zz$"), "chaffinch", "/x?%E9")
	f.Add([]byte("\xff\xfeU\x00s\x00"), "a", "")
	f.Fuzz(func(t *testing.T, file []byte, agent, path string) {
		if len(file) > 4<<10 || len(path) > 256 {
			return // the oracle is slow
		}
		got, why := Parse(file).Allowed(agent, path)
		want, n := simply(file, agent, path)
		if got != want {
			t.Fatalf("allowed is %t by %+v, the simple reading says %t", got, why, want)
		}
		if (why.Line == 0) != (n < 0) || why.Line > 0 && len(normalizePattern(why.Pattern)) != n {
			t.Fatalf("decided by %+v, the simple reading by a rule of length %d", why, n)
		}
	})
}

// FuzzParse parses any bytes, and calls all methods.
func FuzzParse(f *testing.F) {
	f.Add([]byte("User-agent: *\nCrawl-delay: 1e9\nRequest-rate: 1/0m\nContent-Usage: /a b\nSitemap: x"))
	f.Fuzz(func(t *testing.T, file []byte) {
		r := Parse(file)
		g := r.For("chaffinch")
		if g.Delay < 0 || g.Delay > maxDelay {
			t.Errorf("delay %v", g.Delay)
		}
		for _, p := range g.Preferences("/a") {
			if p.Value == "" || p.Line < 1 {
				t.Errorf("preference %+v", p)
			}
		}
	})
}

// TestBothReadings asks files made of what rules are made of: fuzzers seldom hit a
// rule that matches.
func TestBothReadings(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 309))
	pick := func(of ...string) string { return of[rnd.IntN(len(of))] }
	word := func(n int, of ...string) (s string) {
		for range rnd.IntN(n) {
			s += pick(of...)
		}
		return s
	}
	for range 150 {
		var file strings.Builder
		for range 1 + rnd.IntN(8) {
			switch rnd.IntN(4) {
			case 0:
				file.WriteString("User-agent: " + pick("*", "a", "b", "a/1", "A, b", "") + "\n")
			case 1:
				file.WriteString(pick("Crawl-delay: 1\n", "\n", "Sitemap: x\n"))
			default:
				file.WriteString(pick("Allow: ", "Disallow: ") + pick("/", "*", "") + word(4, "a", "b", "/", "*", "$", "%61", "%2a", "%2F", "é") + "\n")
			}
		}
		for range 8 {
			path := "/" + word(5, "a", "b", "/", "*", "$", "%62", "%2f", "%C3%A9")
			got, why := Parse([]byte(file.String())).Allowed("a", path)
			if want, _ := simply([]byte(file.String()), "a", path); got != want {
				t.Fatalf("%q\n%s: allowed is %t by %+v, the simple reading says %t", file.String(), path, got, why, want)
			}
		}
	}
}
