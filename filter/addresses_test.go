package filter

import (
	"path/filepath"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

func addressSet(t *testing.T, list, exprs string) (*Set, error) {
	t.Helper()
	dir := t.TempDir()
	cfg := Default
	cfg.Use = []string{"addresses"}
	for name, text := range map[string]string{"list.txt": list, "regex.txt": exprs} {
		path := filepath.Join(dir, name)
		must.Write(t, path, text)
		switch {
		case text == "":
		case name == "list.txt":
			cfg.Addresses.Files = []string{path}
		default:
			cfg.Addresses.Regex = []string{path}
		}
	}
	return New(cfg)
}

// TestAddresses: each format of lists, and addresses that are not listed.
func TestAddresses(t *testing.T) {
	const list = `[Adblock Plus 2.0]
! remarks
# more
127.0.0.1 localhost
0.0.0.0 Ads.Example tracker.example # two
shop.example
*.casino.example
bücher.example
blog.example/spam/
||spin.example^
||forum.example^*/profile/^
||paper.example/a*z|
||widget.example^$third-party
||book.example^$document
|https://exact.example/page
@@||good.shop.example^
@@||shop.example/about
/[0-9]{6}-seo\.html/
&banner_id=$script
site.example##.ad
`
	set := must.Get(addressSet(t, "\ufeff"+list, "^https?://[^/]*-pills\\.\nviagra\n"))(t)
	s := set.Scorer()
	for address, want := range map[string]string{
		"http://ads.example/":                                    "ads.example",
		"https://www.ads.example:8080/x?y":                       "ads.example",
		"https://tracker.example":                                "tracker.example",
		"https://bads.example/":                                  "",
		"https://example/":                                       "",
		"HTTP://SHOP.example/buy":                                "shop.example",
		"http://blog.example/spam/?" + strings.Repeat("a", 3000): "blog.example/spam/",
		"http://shop.example/about-us":                           "",
		"http://good.shop.example/buy":                           "",
		"http://a.b.casino.example/":                             "casino.example",
		"http://xn--bcher-kva.example/":                          "xn--bcher-kva.example",
		"http://bücher.example/":                                 "xn--bcher-kva.example",
		"http://blog.example/spam/1":                             "blog.example/spam/",
		"http://shop.example./buy":                               "shop.example",
		"http://shop.example/100%":                               "shop.example",
		"http://blog.example/news/spam/":                         "",
		"http://spin.example/":                                   "spin.example",
		"http://forum.example/u/profile/":                        "forum.example^*/profile/^",
		"http://forum.example/u/profile/?x":                      "forum.example^*/profile/^",
		"http://forum.example/u/profile/name":                    "",
		"http://paper.example/abcz":                              "paper.example/a*z|",
		"http://paper.example/abczd":                             "",
		"http://widget.example/":                                 "",
		"http://book.example/":                                   "book.example",
		"https://exact.example/page?x=1":                         "exact.example/page",
		"http://any.example/123456-seo.html":                     "[0-9]{6}-seo\\.html",
		"http://blue-pills.example/":                             "^https?://[^/]*-pills\\.",
		"http://any.example/buy-viagra":                          "viagra",
		"http://site.example/":                                   "",
		"http://any.example/?&banner_id=1":                       "",
		"no address":                                             "",
		"http://localhost/":                                      "",
	} {
		_, d, drop := s.Judge(Text{URL: address})
		got := ""
		if drop {
			got = s.Explain(d)
		}
		if got != want || drop != (want != "") {
			t.Errorf("%s: %v %q, want %q", address, drop, got, want)
		}
	}
	if _, _, drop := s.Judge(Text{}); drop {
		t.Error("a document without an address goes")
	}
	for list, want := range map[string]string{
		"shop.example\ntwo words\n":    `list.txt: line 2: found "two words", wanted a host`,
		"shop\n":                       `list.txt: line 1: found "shop", wanted a host such as shop.example`,
		"a.example\n/[/\n":             "list.txt: line 2: error parsing regexp",
		"! nothing\n":                  "nothing listed in ",
		"a.example\n\xff.example\n":    "list.txt: line 2: not UTF-8",
		"0.0.0.0 a.example b*.example": `found "b*.example"`,
	} {
		must.Fail(t, must.Err(addressSet(t, list, "")), want)
	}
	must.Fail(t, must.Err(addressSet(t, "", "a\n(\n")), "regex.txt: line 2: error parsing regexp")
	must.Fail(t, must.Err(addressSet(t, "", "")), "no list")
}

// FuzzMatches: a pattern without signs is a prefix, and stars in it match no less.
func FuzzMatches(f *testing.F) {
	f.Add("/a/b", "/a/bc", 2)
	f.Add("/", "/?q=%20", 0)
	f.Fuzz(func(t *testing.T, pattern, target string, at int) {
		if len(pattern)+len(target) > 60 || strings.ContainsAny(pattern, "*^|") {
			t.Skip()
		}
		prefix := strings.HasPrefix(target, pattern)
		if matches(pattern, target) != prefix || matches(pattern+"|", target) != (pattern == target) {
			t.Errorf("%q matches %q: %v", pattern, target, !prefix)
		}
		k := max(0, min(at, len(pattern)))
		if starred := pattern[:k] + "*" + pattern[k:]; matches(starred, target) != (strings.HasPrefix(target, pattern[:k]) && strings.Contains(target[k:], pattern[k:])) {
			t.Errorf("%q and %q", starred, target)
		}
	})
}
