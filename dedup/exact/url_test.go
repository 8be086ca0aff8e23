package exact

import (
	"strings"
	"testing"
)

var urlCases = []struct{ in, want string }{
	{"http://example.org", "http://example.org/"},
	{"https://Example.ORG:443/", "http://example.org/"},
	{"http://example.org:80/a/", "http://example.org/a"},
	{"http://example.org:8080/a", "http://example.org:8080/a"},
	{"http://user:secret@example.org./a", "http://example.org/a"},
	{"http://example.org/a/./b/../c", "http://example.org/a/c"},
	{"http://example.org/../../a", "http://example.org/a"},
	{"http://example.org//a///b", "http://example.org/a/b"},
	{"http://example.org/%7Ejan/%e2%82%ac", "http://example.org/~jan/%E2%82%AC"},
	{"http://example.org/€ 1", "http://example.org/%E2%82%AC%201"},
	{"http://example.org/a%2Fb", "http://example.org/a%2Fb"},
	{"http://example.org/100%", "http://example.org/100%25"},
	{"http://example.org/INDEX.html", "http://example.org/"},
	{"http://example.org/a/index.php?id=3", "http://example.org/a?id=3"},
	{"http://example.org/?b=2&a=1", "http://example.org/?a=1&b=2"},
	{"http://example.org/?a=2&b=1&a=1", "http://example.org/?a=1&a=2&b=1"},
	{"http://example.org/?utm_source=x&UTM_Medium=y&q=1&gclid=z", "http://example.org/?q=1"},
	{"http://example.org/?fbclid=1", "http://example.org/"},
	{"http://example.org/a;jsessionid=12AB?x=1", "http://example.org/a?x=1"},
	{"http://example.org/a;v=1", "http://example.org/a;v=1"},
	{"http://example.org/?PHPSESSID=1&&", "http://example.org/"},
	{"http://example.org/?sid=0311f125385c248eb11c61ee7339229a&p=1", "http://example.org/?p=1"},
	{"http://example.org/story.php?sid=12064", "http://example.org/story.php?sid=12064"},
	{"http://example.org/a#part", "http://example.org/a"},
	{"http://example.org?x=1", "http://example.org/?x=1"},
	{"http://bücher.example/", "http://xn--bcher-kva.example/"},
	{"http://a≠b.example/", "http://xn--ab-miv.example/"},
	{"http://[2001:DB8:0::1]:80/", "http://[2001:db8::1]/"},
	{"//example.org/a", "http://example.org/a"},
	{`http://example.org\a`, "http://example.org/a"},
	{" http://example.org/a\n", "http://example.org/a"},
	{"ftp://example.org:21/a", "ftp://example.org/a"},
	{"mailto:somebody", "mailto:somebody"},
	{"", ""},
	{"http://", "http://"},
}

func TestNormalizeURL(t *testing.T) {
	for _, c := range urlCases {
		if got := NormalizeURL(c.in, false); got != c.want {
			t.Errorf("%s: %s, want %s", c.in, got, c.want)
		}
	}
	if got := NormalizeURL("http://www.example.org/", true); got != "http://example.org/" {
		t.Error(got)
	}
	if got := NormalizeURL("http://www.example.org/", false); got != "http://www.example.org/" {
		t.Error(got)
	}
}

// FuzzNormalizeURL: normalizing twice changes nothing.
func FuzzNormalizeURL(f *testing.F) {
	for _, c := range urlCases {
		f.Add(c.in)
	}
	f.Fuzz(func(t *testing.T, url string) {
		once := NormalizeURL(url, false)
		if !strings.HasPrefix(once, "http://") {
			return
		}
		if twice := NormalizeURL(once, false); twice != once {
			t.Errorf("%q: %q, then %q", url, once, twice)
		}
	})
}
