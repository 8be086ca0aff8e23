package origin

import (
	"testing"

	"chaffinch/extract"
	"chaffinch/internal/testkit/must"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

func TestSite(t *testing.T) {
	for _, c := range []struct {
		meta map[string]any
		html string
		want string
	}{
		{map[string]any{"url": "http://news.bbc.co.uk/2/hi/123.stm"}, "", "bbc.co.uk"},
		{map[string]any{"url": nil, "host": "life.chinatimes.com"}, "", "chinatimes.com"},
		{map[string]any{"url": "http://216.31.193.173/a"}, "", "216.31.193.173"},
		{map[string]any{"url": "https://one.blogspot.com/x"}, "", "one.blogspot.com"},
		{map[string]any{"url": "http://localhost/"}, `<base href="http://b.example.com/">`, "example.com"},
		{nil, `<meta property="og:url" content="https://www.mill.org/x"/>`, "mill.org"},
		{nil, `<meta content='https://www.mill.org/x' property='og:url'>`, "mill.org"},
		{nil, `<link rel=canonical href="http://mill.net/a">`, "mill.net"},
		{nil, `<a href="http://a.org/1">x</a><a class=z href='http://www.a.org/2'>y</a><a href="http://b.org/">z</a>`, "a.org"},
		{nil, `<a href="http://a.org/1">x</a><a href="http://b.org/">z</a>`, ""},
		{map[string]any{"url": ":// no"}, "<p>x", ""},
	} {
		p := &page.Page{Raw: []byte("<p>x" + c.html), MIME: "text/html"}
		x := must.Get(extract.New(extract.Default))(t)
		must.Succeed(t, x.Do(t.Context(), p))
		if got := Site(&gold.Page{Meta: c.meta}, p); got != c.want {
			t.Errorf("%v %s: site %q, want %q", c.meta, c.html, got, c.want)
		}
	}
}
