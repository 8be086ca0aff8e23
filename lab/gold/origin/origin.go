// Package origin determines the site of a page of a set by the public suffix list. It is
// separate from package gold, which the command chaffinch-lines links, because the list links
// net/http.
package origin

import (
	"regexp"

	"chaffinch/internal/lazyregexp"
	"chaffinch/lab/gold"
	"chaffinch/page"
	"chaffinch/page/weburl/registered"
)

// Site returns the site of a page: the registrable domain of its URL or host in meta.jsonl,
// otherwise of the address that the page states as its own (canonical link, og:url, base).
// Otherwise it is the host of more than half of the absolute links. It returns "" if none is known.
func Site(g *gold.Page, p *page.Page) string {
	for _, field := range []string{"url", "site", "host"} {
		if v, ok := g.Meta[field].(string); ok {
			if s := registered.Site(v); s != "" {
				return s
			}
		}
	}
	for _, v := range []string{p.URL, p.Meta.Canonical} {
		if s := registered.Site(v); s != "" {
			return s
		}
	}
	for _, re := range ownAddress {
		if m := re().FindStringSubmatch(p.HTML); m != nil {
			if s := registered.Site(m[1] + m[2]); s != "" {
				return s
			}
		}
	}
	return linkedSite(p.HTML)
}

// ownAddress matches the address that a page states as its own. The value is in one of the two
// groups.
var ownAddress = []func() *regexp.Regexp{
	lazyregexp.New(`(?i)<meta[^>]{0,200}og:url["']?[^>]{0,200}content=(?:"([^"]+)|'([^']+))`),
	lazyregexp.New(`(?i)<meta[^>]{0,200}content=(?:"([^"]+)"|'([^']+)')[^>]{0,200}og:url`),
	lazyregexp.New(`(?i)<base[^>]{1,200}href=(?:"([^"]+)|'([^']+))`),
}

var absoluteLink = lazyregexp.New(`(?i)<a\s[^>]{0,300}?href=["']?(https?://[^/"'\s>]+)`)

// linkedSite returns the site of more than half of the absolute links.
func linkedSite(html string) string {
	count := map[string]int{}
	all := 0
	for _, m := range absoluteLink().FindAllStringSubmatch(html, -1) {
		if s := registered.Site(m[1]); s != "" {
			count[s]++
			all++
		}
	}
	best := ""
	for s, n := range count {
		if n > count[best] || n == count[best] && s < best {
			best = s
		}
	}
	if 2*count[best] <= all {
		return ""
	}
	return best
}
