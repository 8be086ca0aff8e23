package scope

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/publicsuffix"

	"chaffinch/crawl/robots"
	"chaffinch/page"
	"chaffinch/page/weburl"
)

// List holds patterns of URLs. A pattern is HOST, HOST/PATH or /PATH:
//
//	example.org         the host and its subdomains
//	.br, *.br           all hosts in a domain, here a country
//	forum.*             hosts with a wildcard
//	example.org:8080    a port; without one, all ports
//	example.org/news/   paths that begin with /news/
//	/*.pdf$             paths on all hosts, as in robots.txt: * is any characters, $ the end
//
// A scheme before the host does not count. A nil List matches nothing.
type List struct {
	byHost    map[string][]pattern // by name
	elsewhere []pattern            // of any host, or hosts with a wildcard
}

type pattern struct {
	text   string
	host   string // with a wildcard, or ""
	below  bool   // only subdomains
	port   string // "" for all
	target robots.Pattern
}

// NewList returns the list of patterns.
func NewList(patterns []string) (*List, error) {
	l := &List{byHost: map[string][]pattern{}}
	for _, s := range patterns {
		if err := l.add(s); err != nil {
			return nil, err
		}
	}
	return l, nil
}

var errPattern = errors.New("wanted HOST, HOST/PATH or /PATH, such as example.org, .br, example.org/news/ or /*.pdf$")

func (l *List) add(text string) error {
	fail := func(err error) error { return fmt.Errorf("pattern %q: %w", text, err) }
	s := text
	for _, scheme := range []string{"http://", "https://"} {
		s = strings.TrimPrefix(s, scheme)
	}
	at := strings.IndexByte(s, '/')
	if at < 0 {
		at = len(s)
	}
	p := pattern{text: text, target: "/"}
	name := s[:at]
	if at < len(s) {
		p.target, _ = robots.NewPattern(s[at:])
	}
	name, p.port = cutPort(name)
	if s == "" || strings.ContainsAny(s, " \t\r\n") || strings.Trim(p.port, "0123456789") != "" {
		return fail(errPattern)
	}
	name, p.below = strings.CutPrefix(strings.TrimPrefix(name, "*."), ".")
	p.below = p.below || strings.HasPrefix(s, "*.")
	switch {
	case name == "" && p.below:
		return fail(errPattern)
	case name == "" && at == 0:
		l.elsewhere = append(l.elsewhere, p)
		return nil
	case strings.Contains(name, "*"):
		if p.below {
			name = "*." + name
		}
		if p.host = strings.ToLower(name); strings.Trim(p.host, "abcdefghijklmnopqrstuvwxyz0123456789-._*") != "" {
			return fail(errPattern)
		}
		l.elsewhere = append(l.elsewhere, p)
		return nil
	}
	u, err := weburl.Parse("http://"+name+"/", nil)
	if err != nil || u.Port() != 80 || u.Path() != "/" {
		return fail(errPattern)
	}
	if _, known := publicsuffix.PublicSuffix(u.Host()); p.below && !known && !strings.Contains(u.Host(), ".") {
		return fail(fmt.Errorf("%q is no top-level domain: for paths with this ending, write /*.%s$", u.Host(), name))
	}
	l.byHost[u.Host()] = append(l.byHost[u.Host()], p)
	return nil
}

// Match returns the first pattern that matches the URL with an origin, such as
// "https://example.org", and a target: its path and query. It returns "" if there is none. Patterns
// of more specific hosts precede others.
func (l *List) Match(origin, target string) (pattern string) {
	if l == nil {
		return ""
	}
	name, port := splitPort(origin)
	for host, sub := name, false; ; sub = true {
		for i := range l.byHost[host] {
			if p := &l.byHost[host][i]; (sub || !p.below) && p.matches(port, target) {
				return p.text
			}
		}
		var more bool
		if _, host, more = strings.Cut(host, "."); !more {
			break
		}
	}
	for i := range l.elsewhere {
		if p := &l.elsewhere[i]; (p.host == "" || robots.MatchText(p.host, name)) && p.matches(port, target) {
			return p.text
		}
	}
	return ""
}

// MatchURL reports whether a pattern matches a URL. Invalid URLs match none.
func (l *List) MatchURL(url string) bool {
	u, err := weburl.Parse(url, nil)
	return err == nil && l.Match(Origin(u)) != ""
}

// MatchHost returns the first pattern that matches all URLs of an origin, or "".
func (l *List) MatchHost(origin string) (pattern string) {
	const never = "/\x00" // no pattern of a path matches it, except "/"
	return l.Match(origin, never)
}

func (p *pattern) matches(port, target string) bool {
	return (p.port == "" || p.port == port) && p.target.Matches(target)
}

// maxPattern is the most bytes of a line in a file of patterns.
const maxPattern = 64 << 10

// Read reads patterns, one per line: the first word. Lines that begin with # are comments. A first
// line "host" or "url" names columns. Lines without a valid pattern are an error.
func Read(in io.Reader) (patterns []string, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxPattern)
	n := int64(1)
	for ; lines.Scan(); n++ {
		fields := strings.Fields(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if len(fields) == 0 || fields[0][0] == '#' || n == 1 && (fields[0] == "host" || fields[0] == "url") {
			continue
		}
		if _, err := NewList(fields[:1]); err != nil {
			return nil, &page.Error{Line: n, Offset: -1, Err: err}
		}
		patterns = append(patterns, fields[0])
	}
	if err := lines.Err(); err != nil {
		return nil, &page.Error{Line: n, Offset: -1, Err: err}
	}
	return patterns, nil
}
