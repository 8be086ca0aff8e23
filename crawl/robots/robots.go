// Package robots parses robots.txt files (RFC 9309, Robots Exclusion Protocol, 2022) with common
// extensions: Crawl-delay and Request-rate, Sitemap lines, and preferences for the use of content
// (Content-Usage of draft-ietf-aipref-attach, Content-Signal). [Parse] returns the [Rules] of a
// file, and [Rules.Allowed] reports whether a crawler may fetch a path.
//
// [Parse] accepts any bytes. [Rules.For] returns the rules for one crawler, merged from all its
// groups, and [Group.Allowed] reports whether a path may be fetched and which line decided.
// [Outcome] interprets a response status.
//
// Input that the RFC does not define is read in the way that allows less, unless the meaning is
// obvious: misspelt fields, a missing colon, agents in a list with commas, HTML around the lines.
//
// Unstable: this package may change in any release.
package robots

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"chaffinch/internal/sorts"
)

const (
	// MaxBytes is the most bytes of a file that are read. RFC 9309 (section 2.5) requires at least
	// this limit.
	MaxBytes = 500 << 10
	// maxLine is the most bytes of a line that are read, as in Google's parser: eight times the
	// longest URL of early browsers.
	maxLine = 8*2083 - 1
	// maxDelay is the longest Crawl-delay, some 30 years; longer ones are reduced to it.
	maxDelay = 1e9 * time.Second
)

// Rules holds a robots.txt file, for all crawlers. It is read-only.
type Rules struct {
	// Sitemaps holds the distinct values of the Sitemap lines. They may be relative to the URL of
	// the file.
	Sitemaps []string
	// HTML reports whether the file begins like an HTML page. Rules in it count.
	HTML bool
	// Cut reports whether the file is longer than MaxBytes. The line at the cut is ignored.
	Cut bool

	named   map[string]bool // agents with a group, in lower case
	records []record
}

// record is a line of a group.
type record struct {
	agents []string // in lower case; nil for all
	field  field
	value  string
	line   int
}

// Rule is a line that allows or disallows paths. The zero Rule means that no line matched and the
// path is allowed.
type Rule struct {
	// Line is the number of the line, from 1; 0 if no line matched.
	Line int
	// Allow reports whether the line is an Allow line rather than a Disallow line.
	Allow bool
	// Pattern is the path of the line, with its * and $.
	Pattern string
}

// Preference is a preference for the use of the content under a path.
type Preference struct {
	// Field is "content-usage" or "content-signal".
	Field string
	// Pattern is the path, "" for all paths.
	Pattern string
	// Value is the preference as written, such as "train-ai=n".
	Value string
	// Line is the number of the line, from 1.
	Line int
}

// Parse parses a robots.txt file. Invalid lines are ignored.
func Parse(b []byte) *Rules {
	r := &Rules{named: map[string]bool{}}
	b = toUTF8(b)
	if r.Cut = len(b) > MaxBytes; r.Cut {
		b = b[:MaxBytes]
		b = b[:bytes.LastIndexAny(b, "\r\n")+1]
	}
	r.HTML = bytes.HasPrefix(bytes.TrimLeft(b, " \t\r\n"), []byte("<"))
	var header, timed group
	seen := map[string]bool{}
	for n, line := range lines(string(b)) {
		f, value := r.parseLine(line)
		switch f {
		case agentField:
			names := agents(value)
			for _, name := range names {
				r.named[name] = true
			}
			header.add(names)
			timed.add(names)
			continue
		case sitemapField: // part of no group, and ends none (section 2.2.4)
			if value != "" && !seen[value] {
				seen[value] = true
				r.Sitemaps = append(r.Sitemaps, strings.Clone(value))
			}
			continue
		case allowField, disallowField:
			if !header.open { // before the first group
				continue
			}
			header.closed = true
			r.records = append(r.records, record{header.agents, f, value, n})
		case delayField, rateField: // for the agents before it, without earlier delays
			if timed.open {
				r.records = append(r.records, record{timed.agents, f, value, n})
			}
		case usageField, signalField:
			r.records = append(r.records, record{header.agents, f, value, n})
			continue
		default:
			continue
		}
		timed.closed = true
	}
	return r
}

// group collects the agents of a group: User-agent lines without a rule between them.
type group struct {
	agents       []string
	open, closed bool
}

func (g *group) add(names []string) {
	if g.closed || !g.open {
		*g = group{agents: []string{}, open: true}
	}
	g.agents = append(g.agents, names...)
}

// toUTF8 removes a byte order mark, complete or partial, and decodes UTF-16.
func toUTF8(b []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}), len(b) > 1 && b[0] != 0 && b[1] == 0:
		order = binary.LittleEndian
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}), len(b) > 1 && b[0] == 0 && b[1] != 0:
		order = binary.BigEndian
	default:
		for _, c := range []byte{0xef, 0xbb, 0xbf} {
			if len(b) == 0 || b[0] != c {
				break
			}
			b = b[1:]
		}
		return b
	}
	units := make([]uint16, 0, min(len(b), 2*MaxBytes+4)/2)
	for i := 0; i+1 < len(b) && len(units) < cap(units); i += 2 {
		units = append(units, order.Uint16(b[i:]))
	}
	return []byte(strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff"))
}

// lines yields the lines of s, which end with CR, LF or both, with their numbers.
func lines(s string) func(yield func(n int, line string) bool) {
	return func(yield func(int, string) bool) {
		for n := 1; s != ""; n++ {
			i := strings.IndexAny(s, "\r\n")
			line, rest := s, ""
			if i >= 0 {
				line, rest = s[:i], s[i+1:]
				if s[i] == '\r' {
					rest = strings.TrimPrefix(rest, "\n")
				}
			}
			if !yield(n, line[:min(len(line), maxLine)]) {
				return
			}
			s = rest
		}
	}
}

const whitespace = " \t\v\f\x00"

// parseLine splits a line at its colon, or at its only white space if it has no colon.
func (r *Rules) parseLine(line string) (field, string) {
	if r.HTML {
		line = withoutTags(line)
	}
	line, _, _ = strings.Cut(line, "#")
	line = strings.Trim(line, whitespace)
	name, value, ok := strings.Cut(line, ":")
	if !ok {
		words := strings.FieldsFunc(line, func(c rune) bool { return strings.ContainsRune(whitespace, c) })
		if len(words) != 2 {
			return noField, ""
		}
		name, value = words[0], words[1]
	}
	name, value = strings.Trim(name, whitespace), strings.Trim(value, whitespace)
	if scheme := strings.ToLower(name); (scheme == "http" || scheme == "https") && strings.HasPrefix(value, "//") {
		return sitemapField, name + ":" + value // a URL alone
	}
	return fieldOf(name), value
}

// withoutTags removes <...> from a line.
func withoutTags(line string) string {
	var b strings.Builder
	for {
		text, rest, ok := strings.Cut(line, "<")
		b.WriteString(text)
		if !ok {
			return b.String()
		}
		_, line, _ = strings.Cut(rest, ">")
	}
}

// agents returns the product tokens of a User-agent line in lower case; "*" means all crawlers. A
// token ends at the first character that is not allowed in it, such as a version.
func agents(value string) (names []string) {
	for part := range strings.SplitSeq(value, ",") {
		part = strings.Trim(part, whitespace)
		if part == "*" || strings.HasPrefix(part, "* ") || strings.HasPrefix(part, "*\t") {
			names = append(names, "*")
			continue
		}
		if n := tokenLen(part); n > 0 {
			names = append(names, strings.ToLower(part[:n]))
		}
	}
	return names
}

// tokenLen returns the length of the product token at the start of s. The RFC allows letters, _ and
// -; many crawlers have digits in their names.
func tokenLen(s string) int {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') && s[i] != '_' && s[i] != '-' {
			return i
		}
	}
	return len(s)
}

// Allowed reports whether the crawler with this product token may fetch a path, with its query, and
// returns the rule that decided. For many paths, call [Rules.For] once.
func (r *Rules) Allowed(agent, path string) (bool, Rule) { return r.For(agent).Allowed(path) }

// For returns the rules for the crawler with this product token, such as "chaffinch", regardless of
// case: the merged groups that name it, or else the merged groups for all crawlers. The result does
// not retain r.
func (r *Rules) For(agent string) *Group {
	agent = strings.ToLower(agent)
	if !r.named[agent] {
		agent = "*"
	}
	g := &Group{}
	if r.named[agent] {
		g.Agent = agent
	}
	for _, rec := range r.records {
		if rec.agents == nil || slices.Contains(rec.agents, agent) {
			rec.value = strings.Clone(rec.value) // so that the file is not kept in memory
			g.add(rec)
		}
	}
	sorts.StableFunc(g.rules, func(a, b rule) int {
		if d := len(b.match) - len(a.match); d != 0 {
			return d
		}
		switch { // for equal lengths Allow wins (section 2.2.2)
		case a.Allow && !b.Allow:
			return -1
		case b.Allow && !a.Allow:
			return 1
		}
		return 0
	})
	return g
}

// seconds parses the number at the start of s; 0 if there is none.
func seconds(s string) float64 {
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '.') {
		n++
	}
	v, err := strconv.ParseFloat(s[:n], 64)
	if err != nil {
		return 0
	}
	return v
}

// rate parses a Request-rate, pages per time such as "1/10m" or "1/10 0600-0845", and returns the
// seconds between pages.
func rate(s string) float64 {
	pages, per, ok := strings.Cut(s, "/")
	n, err := strconv.ParseFloat(strings.Trim(pages, whitespace), 64)
	if !ok || err != nil || !(n > 0) {
		return 0
	}
	per, _, _ = strings.Cut(strings.Trim(per, whitespace), " ")
	d := seconds(per)
	switch {
	case strings.HasSuffix(per, "m"):
		d *= 60
	case strings.HasSuffix(per, "h"):
		d *= 3600
	}
	return d / n
}

// duration converts seconds to a duration of at most maxDelay.
func duration(seconds float64) time.Duration {
	return time.Duration(min(seconds, maxDelay.Seconds()) * float64(time.Second))
}
