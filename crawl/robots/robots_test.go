package robots

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// TestAllowed asks files about paths: "+" before a path that may be fetched.
func TestAllowed(t *testing.T) {
	for _, c := range []struct{ name, file, agent, want string }{
		{"nothing said", "", "chaffinch", "+/ +/a"},
		{"for all", "User-agent: *\nDisallow: /a\n", "chaffinch", "+/ -/a -/abc -/a/b?c +/b +/A"},
		{"for others", "User-agent: finch\nDisallow: /\n", "chaffinch", "+/"},
		{"whole token", "User-agent: chaff\nDisallow: /a\nUser-agent: chaffinches\nDisallow: /b\n", "chaffinch", "+/a +/b"},
		{"token, version", "User-agent: Chaffinch/2.1 (like a bird)\nDisallow: /a\n", "chaffinch", "-/a"},
		{"own before all", "User-agent: *\nDisallow: /\nUser-agent: CHAFFINCH\nDisallow: /a\n", "chaffinch", "+/ -/a"},
		{"own with nothing", "User-agent: *\nDisallow: /\n\nUser-agent: chaffinch\n", "chaffinch", "+/"},
		{"merged", "User-agent: chaffinch\nDisallow: /a\nUser-agent: x\nDisallow: /x\nUser-agent: chaffinch\nDisallow: /b\n", "chaffinch", "-/a -/b +/x"},
		{"several agents", "User-agent: x\nUser-agent: chaffinch\n\n# both\nDisallow: /a\n", "chaffinch", "-/a"},
		{"list of agents", "User-agent: x, chaffinch\nDisallow: /a\n", "chaffinch", "-/a"},
		{"before a group", "Disallow: /a\nUser-agent: *\nDisallow: /b\n", "chaffinch", "+/a -/b"},
		{"agent without a name", "User-agent: *\nDisallow: /b\nUser-agent:\nDisallow: /a\n", "chaffinch", "+/a -/b"},
		{"other lines end no group", "User-agent: *\nSitemap: /s\nCrawl-delay: 2\nFoo: bar\nUser-agent: x\nDisallow: /a\n", "chaffinch", "-/a"},
		{"longest", "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\n", "chaffinch", "-/a -/a/a +/a/b +/a/bc -/a/b/c"},
		{"longest, not first", "User-agent: *\nAllow: /\nDisallow: /a\n", "chaffinch", "+/ -/a"},
		{"equal", "User-agent: *\nDisallow: /a\nAllow: /a\n", "chaffinch", "+/a"},
		{"empty", "User-agent: *\nDisallow:\nAllow:\n", "chaffinch", "+/ +/a"},
		{"star", "User-agent: *\nDisallow: /*/c\n", "chaffinch", "+/c -/a/c -/a/b/cd +/a/b"},
		{"stars", "User-agent: *\nDisallow: /*a*b*c\n", "chaffinch", "-/abc -/xaxbxc +/acb -/aabbc +/cba"},
		{"end", "User-agent: *\nDisallow: /a$\nDisallow: /*.pdf$\n", "chaffinch", "-/a +/ab +/a/ -/x.pdf +/x.pdf?y -/x.pdf.pdf"},
		{"end after star", "User-agent: *\nDisallow: /a*$\n", "chaffinch", "-/a -/abc"},
		{"dollar inside", "User-agent: *\nDisallow: /a$b\n", "chaffinch", "-/a$b -/a%24b +/a"},
		{"star escaped", "User-agent: *\nDisallow: /a%2Ab\n", "chaffinch", "-/a*b -/a%2ab +/axb"},
		{"star in the address", "User-agent: *\nDisallow: /a*b\n", "chaffinch", "-/a*b -/axb"},
		{"encoded in the rule", "User-agent: *\nDisallow: /%c3%a9t%C3%A9\n", "chaffinch", "-/été -/%C3%A9t%c3%a9"},
		{"not encoded in the rule", "User-agent: *\nDisallow: /été\n", "chaffinch", "-/été -/%C3%A9t%C3%A9"},
		{"unreserved", "User-agent: *\nDisallow: /%61%7E\n", "chaffinch", "-/a~ -/%61~ -/a%7e"},
		{"reserved", "User-agent: *\nDisallow: /a%2Fb\n", "chaffinch", "+/a/b -/a%2fb"},
		{"neither", "User-agent: *\nDisallow: /a|b{c}\n", "chaffinch", "-/a%7Cb%7bc%7D -/a|b{c}"},
		{"broken escape", "User-agent: *\nDisallow: /a%3zb%\n", "chaffinch", "-/a%3zb% +/a"},
		{"query", "User-agent: *\nDisallow: /*?s=\n", "chaffinch", "-/?s=1 -/a?s= +/a?t=1&s=1"},
		{"no path", "User-agent: *\nDisallow: a\nDisallow: http://x.example/a\n", "chaffinch", "+/a"},
		{"robots.txt itself", "User-agent: *\nDisallow: /\n", "chaffinch", "-/ +/robots.txt -/robots.txt?"},
		{"comments", "User-agent: * # all\nDisallow: /a # b\n#Disallow: /c\n", "chaffinch", "-/a +/c"},
		{"no colon", "User-agent chaffinch\nDisallow /a\nDisallow /b /c\n", "chaffinch", "-/a +/b"},
		{"misspelt", "useragent: chaffinch\ndissalow: /a\nDISALLOW : /b\n", "chaffinch", "-/a -/b"},
		{"CR", "User-agent: *\rDisallow: /a\rDisallow: /b", "chaffinch", "-/a -/b"},
		{"CR LF", "\r\nUser-agent: *\r\n\r\nDisallow: /a\r\n", "chaffinch", "-/a"},
		{"mark", "\xef\xbb\xbfUser-agent: *\nDisallow: /a\n", "chaffinch", "-/a"},
		{"part of a mark", "\xef\xbbUser-agent: *\nDisallow: /a\n", "chaffinch", "-/a"},
		{"HTML around", "<html><body><pre>User-agent: *<br>\nDisallow: /a<br>\n</pre>", "chaffinch", "-/a +/b"},
		{"HTML alone", "<!DOCTYPE html>\n<title>Not found</title>\n<p>User-agent: what?", "chaffinch", "+/a"},
		{"long line", "User-agent: *\nDisallow: /" + strings.Repeat("a", 2*maxLine) + "\nDisallow: /b\n", "chaffinch", "+/a -/b"},
		{"no product token", "User-agent: *\nDisallow: /a\nUser-agent: big bird\nDisallow: /b\n", "big bird", "-/a +/b"},
	} {
		g := Parse([]byte(c.file)).For(c.agent)
		for q := range strings.FieldsSeq(c.want) {
			if got, why := g.Allowed(q[1:]); got != (q[0] == '+') {
				t.Errorf("%s: %s: allowed is %t by %+v", c.name, q[1:], got, why)
			}
			simple, _ := simply([]byte(c.file), c.agent, q[1:])
			if simple != (q[0] == '+') {
				t.Errorf("%s: %s: the simple reading says %t", c.name, q[1:], simple)
			}
		}
	}
}

// TestWhy wants the line that decided.
func TestWhy(t *testing.T) {
	r := Parse([]byte("# hello\r\nUser-agent: *\r\nDisallow: /a*\r\n\r\nAllow: /a/b%20c\r\nDisallow: /a*"))
	for path, want := range map[string]Rule{
		"/":        {},
		"/a":       {3, false, "/a*"},
		"/a/b%20c": {5, true, "/a/b%20c"},
	} {
		if _, why := r.Allowed("chaffinch", path); why != want {
			t.Errorf("%s: by %+v, wanted %+v", path, why, want)
		}
	}
}

// TestUTF16 reads files as Windows saves them, with and without a mark.
func TestUTF16(t *testing.T) {
	file := "User-agent: *\r\nDisallow: /été\r\nSitemap: /s.xml\r\n"
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, mark := range []string{"\ufeff", ""} {
			var b []byte
			for _, u := range utf16.Encode([]rune(mark + file)) {
				b = order.AppendUint16(b, u)
			}
			r := Parse(b)
			if ok, why := r.Allowed("chaffinch", "/%C3%A9t%C3%A9"); ok || why.Line != 2 {
				t.Errorf("%v, mark %q: allowed is %t by %+v", order, mark, ok, why)
			}
		}
	}
}

// TestCut wants the rules in the first 500 KiB, and no rule of half a line.
func TestCut(t *testing.T) {
	head := "User-agent: *\nDisallow: /a\n"
	fill := strings.Repeat("#", MaxBytes-len(head)-len("Allow: /")) // with its line break one too many
	r := Parse([]byte(head + fill[:len(fill)-1] + "\nAllow: /a/b\n"))
	if ok, _ := r.Allowed("chaffinch", "/a/b"); ok || !r.Cut {
		t.Errorf("cut is %t, allowed %t", r.Cut, ok)
	}
	if r := Parse([]byte(head)); r.Cut {
		t.Error("a short file is cut")
	}
	if r := Parse([]byte(strings.Repeat("a", MaxBytes+1))); !r.Cut {
		t.Error("one long line is not cut")
	}
	wide := make([]byte, 0, 3*MaxBytes)
	for range MaxBytes + 8 {
		wide = append(wide, 'a', 0)
	}
	if r := Parse(wide); !r.Cut {
		t.Error("a long file of UTF-16 is not cut")
	}
}

func TestDelay(t *testing.T) {
	for _, c := range []struct {
		lines, agent string
		want         time.Duration
	}{
		{"User-agent: *\nCrawl-delay: 10", "chaffinch", 10 * time.Second},
		{"User-agent: *\nCrawl-delay: .5 # half", "chaffinch", time.Second / 2},
		{"User-agent: *\nCrawl-delay: 5s", "chaffinch", 5 * time.Second},
		{"User-agent: *\nCrawl-delay: 86400", "chaffinch", 24 * time.Hour},
		{"User-agent: *\nCrawl-delay: " + strings.Repeat("9", 400), "chaffinch", 0},
		{"User-agent: *\nCrawl-delay: 99999999999999", "chaffinch", maxDelay},
		{"User-agent: *\nCrawl-delay: -3", "chaffinch", 0},
		{"User-agent: *\nCrawl-delay: soon", "chaffinch", 0},
		{"Crawl-delay: 3\nUser-agent: *\n", "chaffinch", 0},
		{"User-agent: *\nCrawl-delay: 2\nDisallow: /a\nUser-agent: *\nCrawl-delay: 4\nCrawl-delay: 1", "chaffinch", 4 * time.Second},
		{"User-agent: *\nCrawl-delay: 9\nUser-agent: chaffinch\nDisallow: /a\n", "chaffinch", 0},
		{"User-agent: finch\nCrawl-delay: 9\nUser-agent: chaffinch\nCrawl-delay: 1\nDisallow: /a\n", "chaffinch", time.Second},
		{"User-agent: finch\nCrawl-delay: 9\nUser-agent: chaffinch\nCrawl-delay: 1\nDisallow: /a\n", "finch", 9 * time.Second},
		{"User-agent: *\nDisallow: /a\nCrawl-delay: 7", "chaffinch", 7 * time.Second},
		{"User-agent: *\nRequest-rate: 1/10m", "chaffinch", 10 * time.Minute},
		{"User-agent: *\nRequest-rate: 30/1m 0600-0845", "chaffinch", 2 * time.Second},
		{"User-agent: *\nRequest-rate: 1/5\nCrawl-delay: 3", "chaffinch", 5 * time.Second},
		{"User-agent: *\nRequest-rate: 0/5\nRequest-rate: 3", "chaffinch", 0},
		{"User-agent: *\nRequest-rate: 0.000001/99999999h", "chaffinch", maxDelay},
	} {
		if got := Parse([]byte(c.lines)).For(c.agent).Delay; got != c.want {
			t.Errorf("%.60q: %v, wanted %v", c.lines, got, c.want)
		}
	}
}

func TestSitemaps(t *testing.T) {
	r := Parse([]byte("Sitemap: https://a.example/S.xml\nUser-agent: x\nsite-map: /s#a\nSitemap: https://a.example/S.xml\nhttps://b.example/t.xml\nSitemap:\n"))
	if want := []string{"https://a.example/S.xml", "/s", "https://b.example/t.xml"}; !slices.Equal(r.Sitemaps, want) {
		t.Errorf("%q, wanted %q", r.Sitemaps, want)
	}
}

func TestPreferences(t *testing.T) {
	r := Parse([]byte(`Content-Signal: search=yes, ai-train=no
User-agent: x
Content-Usage: train-ai=y
User-agent: *
Allow: /
Content-Usage: train-ai=n
Content-Usage: /free/ train-ai=y
Content-Usage: /free/	search=y
Content-Usage: /free/none
`))
	for path, want := range map[string]string{
		"/":          "[{content-signal  search=yes, ai-train=no 1} {content-usage  train-ai=n 6}]",
		"/free/a":    "[{content-signal  search=yes, ai-train=no 1} {content-usage /free/ train-ai=y 7} {content-usage /free/ search=y 8}]",
		"/free/none": "[{content-signal  search=yes, ai-train=no 1} {content-usage /free/ train-ai=y 7} {content-usage /free/ search=y 8}]",
	} {
		if got := fmt.Sprint(r.For("chaffinch").Preferences(path)); got != want {
			t.Errorf("%s: %s, wanted %s", path, got, want)
		}
	}
	if got := Parse([]byte("User-agent: *\nDisallow: /")).For("a").Preferences("/"); got != nil {
		t.Errorf("nothing said: %v", got)
	}
}

func TestOutcome(t *testing.T) {
	for status, want := range map[int]Access{200: Stated, 204: Stated, 301: Redirected, 304: Unchanged, 308: Redirected, 401: Unrestricted,
		403: Unrestricted, 404: Unrestricted, 410: Unrestricted, 429: Disallowed, 500: Disallowed, 503: Disallowed, 599: Disallowed, 0: Disallowed, 999: Disallowed} {
		if got := Outcome(status, nil); got != want {
			t.Errorf("%d: %s, wanted %s", status, got, want)
		}
	}
	if got := Outcome(200, errors.New("ends early")); got != Disallowed {
		t.Errorf("an error: %s", got)
	}
}
