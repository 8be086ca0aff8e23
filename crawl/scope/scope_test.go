package scope

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// TestList matches URLs against patterns of hosts and paths.
func TestList(t *testing.T) {
	for _, c := range []struct{ pattern, yes, no string }{
		{"example.org", "https://example.org/ http://www.example.org/a https://a.b.example.org:8080/", "https://example.org.uk/ https://xexample.org/ https://org/"},
		{"www.example.org", "https://www.example.org/", "https://example.org/ https://a.example.org/"},
		{".br", "https://a.br/ https://b.com.br/x", "https://br.example.org/ https://abr/"},
		{"*.br", "https://a.br/ https://b.com.br/x", "https://br.example.org/"},
		{".example.org", "https://a.example.org/", "https://example.org/"},
		{"https://Example.org/News/", "http://example.org/News/1 https://m.example.org/News/", "https://example.org/news/1 https://example.org/News https://example.org/"},
		{"/tag/", "https://a.example/tag/ https://b.example/tag/x?y", "https://a.example/x/tag/"},
		{"/*.pdf$", "https://a.example/x/y.pdf", "https://a.example/x.pdf?y https://a.example/x.pdfx"},
		{"/*?print=", "https://a.example/x?print=1", "https://a.example/x?a=1&print=1"},
		{"example.org/*/amp$", "https://example.org/x/amp", "https://example.com/x/amp https://example.org/amp"},
		{"forum.*", "https://forum.example.org/ https://forum.a.b/", "https://a.forum.org/ https://forums.example.org/"},
		{"example.org:8080", "http://example.org:8080/ http://a.example.org:8080/", "http://example.org/ http://example.org:8081/"},
		{"münchen.example", "https://xn--mnchen-3ya.example/", "https://munchen.example/"},
		{"[2001:db8::1]/a", "http://[2001:db8::1]/ab http://[2001:db8::1]:81/a", "http://[2001:db8::1]/"},
		{"/straße", "https://a.example/straße/1", "https://a.example/stra"},
	} {
		l := must.Get(NewList([]string{c.pattern}))(t)
		for i, list := range []string{c.yes, c.no} {
			for s := range strings.FieldsSeq(list) {
				u := must.Get(weburl.Parse(s, nil))(t)
				if got := l.Match(Origin(u)); (got == c.pattern) != (i == 0) || i == 1 && got != "" {
					t.Errorf("pattern %q, %s: matched by %q", c.pattern, s, got)
				}
			}
		}
	}
	for _, s := range []string{"", ".", "*.", "*.pdf", ".jpg", "^https?://a", "a b", "a.example:x/", "[a.example", "a|b"} {
		if _, err := NewList([]string{s}); err == nil {
			t.Errorf("pattern %q is valid", s)
		}
	}
	l := must.Get(NewList([]string{"/all", "example.org/a", "a.example.org/a", "b.example"}))(t)
	for origin, want := range map[string]string{"https://a.example.org": "a.example.org/a", "https://c.example.org": "example.org/a", "https://c.example": "/all"} {
		if got := l.Match(origin, "/all") + l.Match(origin, "/a"); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q, want %q", origin, got, want)
		}
	}
	if got := l.MatchHost("https://x.b.example") + l.MatchHost("https://example.org"); got != "b.example" {
		t.Errorf("patterns of whole hosts: %q", got)
	}
}

// TestWithin finds the rule that excludes a URL.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		rules Rules
		want  string // of the URLs below
	}{
		{Rules{}, ",,,,,"},
		{Rules{Within: Seeds}, ",within seeds,within seeds,,within seeds,within seeds"},
		{Rules{Within: Host}, ",,within host,,within host,within host"},
		{Rules{Within: Domain}, ",,,,,within domain"},
		{Rules{Sites: []string{"example.co.uk/news/"}}, ",within the list,,,,within the list"},
		{Rules{Within: Domain, Include: []string{"/news/"}}, ",include,,,,within domain"},
		{Rules{Within: Domain, Exclude: []string{"/news/1"}}, "exclude /news/1,,exclude /news/1,,,within domain"},
	} {
		s := must.Get(New(c.rules))(t)
		s.AddSeed("https://www.example.co.uk", "/news/?page=2")
		var got []string
		for _, url := range []string{"http://example.co.uk/news/1", "https://www.example.co.uk/", "https://m.example.co.uk/news/1", "https://www.example.co.uk/news/2", "https://example.co.uk:8080/news/", "https://other.co.uk/"} {
			u := must.Get(weburl.Parse(url, nil))(t)
			got = append(got, s.Excludes(Origin(u)))
		}
		if list := strings.Join(got, ","); list != c.want {
			t.Errorf("%+v: %s, want %s", c.rules, list, c.want)
		}
	}
}

// TestRead reads a file of patterns.
func TestRead(t *testing.T) {
	list, err := Read(strings.NewReader("\ufeffhost\tpages\nexample.org\t3\n\n# a comment\n.br\n"))
	if err != nil || strings.Join(list, " ") != "example.org .br" {
		t.Errorf("%q, %v", list, err)
	}
	if _, err := Read(strings.NewReader("example.org\n*.pdf\n")); err == nil || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), "/*.pdf$") {
		t.Errorf("error %v", err)
	}
}
