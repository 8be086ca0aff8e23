package replay

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chaffinch/internal/testkit/must"
	"chaffinch/page/weburl"
)

// rewritten rewrites a page whose archive has one other page.
func rewritten(t testing.TB, src string) string {
	base := must.Get(weburl.Parse("https://a.example/dir/page", nil))(t)
	out := string(rewrite([]byte(src), base, func(u weburl.URL) string {
		if u.String() == "https://a.example/dir/known" {
			return "/archive/page?url=known"
		}
		return ""
	}))
	return strings.TrimPrefix(out, "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n")
}

// TestRewrite removes what runs, loads or leads out of the archive.
func TestRewrite(t *testing.T) {
	for src, want := range map[string]string{
		`<p onclick="x()" class=a>A &lt; B</p>`:                                        `<p class="a">A &lt; B</p>`,
		`<a href=known ping=/x>a</a>`:                                                  `<a href="/archive/page?url=known" target="_top">a</a>`,
		`<a href=other>a</a>`:                                                          `<a title="not in the archive: https://a.example/dir/other">a</a>`,
		`<a href="javascript:alert(1)">a</a>`:                                          `<a>a</a>`,
		`<a href="#top">a</a>`:                                                         `<a href="#top">a</a>`,
		`<script>x<p></script><b>b</b>`:                                                `<b>b</b>`,
		`<noscript><a href=https://evil.example/>n</a></noscript>`:                     `<noscript><a title="not in the archive: https://evil.example/">n</a></noscript>`,
		`<style>p{color:red}</style><style><a href=x></style>`:                         `<style>p{color:red}</style>`,
		`<svg><a href=x>s</a><svg></svg></svg>after`:                                   `after`,
		`<meta http-equiv=refresh content="0;url=x"><base href=/>text`:                 `text`,
		`<img src=x alt=picture srcset=y><input formaction=x>`:                         `<img alt="picture">`,
		`<form action=/x><button formaction=y>b</button></form>`:                       `<form><button>b</button></form>`,
		`<!-- c --><!doctype html><iframe srcdoc="<a>"></iframe>i`:                     `i`,
		`<base target=x><base href="/dir/sub/"><base href=/no/><a href=../known>a</a>`: `<a href="/archive/page?url=known" target="_top">a</a>`,
		`<base href="javascript:x"><a href=known>a</a>`:                                `<a href="/archive/page?url=known" target="_top">a</a>`,
		`<td background=x width=5>`:                                                    `<td width="5">`,
	} {
		if got := rewritten(t, src); got != want {
			t.Errorf("%s\n got %s\nwant %s", src, got, want)
		}
	}
}

// FuzzRewrite: no element runs code or names another file, whatever the page is.
func FuzzRewrite(f *testing.F) {
	for _, s := range []string{"<a href=x>", "<noscript><script>x</noscript>", "<style></style><p onload=x>", "<svg><style><img src=x></svg>", "<title><a href=https://e.example/></title>", "<a href='known' onclick=x", "<textarea></textarea ><script>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		doc, err := html.ParseWithOptions(strings.NewReader(rewritten(t, src)), html.ParseOptionEnableScripting(false)) // as in the frame
		must.Succeed(t, err)
		for n := range doc.Descendants() {
			if n.Type == html.ElementNode && (removed[n.Data] || n.Data == "base" || n.Data == "link") {
				t.Errorf("%q has <%s>", src, n.Data)
			}
			for _, a := range n.Attr {
				inside := a.Key == "href" && (strings.HasPrefix(a.Val, "#") || strings.HasPrefix(a.Val, Path))
				if a.Key == "src" || a.Key == "action" || strings.HasPrefix(a.Key, "on") || a.Key == "href" && !inside {
					t.Errorf("%q has %s=%q", src, a.Key, a.Val)
				}
			}
		}
	})
}
