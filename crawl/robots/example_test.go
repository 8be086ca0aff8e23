package robots_test

import (
	"fmt"

	"chaffinch/crawl/robots"
)

func Example() {
	rules := robots.Parse([]byte(`
User-agent: *
Disallow: /

User-agent: chaffinch
Crawl-delay: 5
Disallow: /search
Allow: /search/about$
Content-Usage: train-ai=n
Sitemap: /sitemap.xml
`))
	g := rules.For("chaffinch")
	for _, path := range []string{"/news?page=2", "/search?q=finch", "/search/about"} {
		ok, why := g.Allowed(path)
		fmt.Println(path, ok, "by line", why.Line)
	}
	fmt.Println(g.Delay, rules.Sitemaps, g.Preferences("/news")[0].Value)
	fmt.Println(robots.Outcome(404, nil), robots.Outcome(503, nil))
	// Output:
	// /news?page=2 true by line 0
	// /search?q=finch false by line 7
	// /search/about true by line 8
	// 5s [/sitemap.xml] train-ai=n
	// unrestricted disallowed
}
