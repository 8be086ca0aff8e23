package crawl

import (
	"strings"

	"chaffinch/crawl/schedule"
	"chaffinch/crawl/scope"
	"chaffinch/page"
	"chaffinch/page/weburl"
	"chaffinch/page/weburl/registered"
)

const (
	// neutralPromise is the promise of a link without evidence.
	neutralPromise = .5
	// canonicalPromise is the promise of the canonical URL of a page, which most likely has the
	// same text.
	canonicalPromise = .1
)

// promises holds the promise of links by the role of their block: text links to text, teasers to
// articles, legal notices to neither.
var promises = map[page.Role]float32{
	page.RoleBody: .65, page.RoleRelated: .7, page.RoleHeading: .65, page.RoleTitle: .65, page.RolePost: .6,
	page.RoleNavigation: .4, page.RoleNotice: .1, page.RoleAside: .4, page.RoleByline: .4,
}

// links returns the links of a cleaned page that a crawl may follow, without repetitions, and the
// canonical URL that the page declares, "" if it is u.
func links(p *page.Page, u weburl.URL, wanted []string) (list []schedule.Link, canonical string) {
	base := baseOf(u, p.Base)
	site := registered.Domain(u.Host())
	seen := make(map[schedule.Link]bool, len(p.Links))
	if to, ok := canonicalOf(p.Links, u, base); ok { // before the others, so that its promise counts
		canonical = to.String()
		if list = appendLink(nil, to, canonicalPromise); len(list) > 0 {
			seen[withoutPromise(list[0])] = true
		}
	}
	at := 0
	for _, l := range p.Links {
		if l.Element == "link" && !hasToken(l.Rel, "alternate") && !hasToken(l.Rel, "next") || hasToken(l.Rel, "nofollow") {
			continue
		}
		to, err := weburl.Parse(l.URL, &base)
		if err != nil {
			continue
		}
		start := int(l.Start)
		for at < len(p.Blocks) && p.Blocks[at].End <= start {
			at++
		}
		media := strings.ToLower(l.Type)
		if strings.Contains(media, "json") { // oEmbed, interfaces of programs
			continue
		}
		promise := float32(neutralPromise)
		if at < len(p.Blocks) && p.Blocks[at].Start <= start+1 {
			if v, ok := promises[p.Blocks[at].Role]; ok {
				promise = v
			}
		}
		if l.Lang != "" {
			promise = languagePromise(l.Lang, wanted)
		}
		n := len(list)
		list = appendLink(list, to, promise)
		if len(list) == n {
			continue
		}
		if l.Element == "a" && registered.Domain(to.Host()) != site {
			list[n].Words = linkWords(p.HTML, start)
		}
		list[n].List = strings.Contains(media, "rss") || strings.Contains(media, "atom")
		if key := withoutPromise(list[n]); seen[key] {
			list = list[:n]
		} else {
			seen[key] = true
		}
	}
	return list, canonical
}

// withoutPromise returns a link without its promise, kind and words.
func withoutPromise(l schedule.Link) schedule.Link {
	l.Promise, l.List, l.Words = 0, false, 0
	return l
}

// baseOf returns the base URL of a page at u whose first base element has this href, "" for none.
func baseOf(u weburl.URL, href string) weburl.URL {
	if href != "" {
		if base, err := weburl.Parse(href, &u); err == nil {
			return base
		}
	}
	return u
}

// canonicalOf returns the canonical URL that a page declares, and reports whether it is another URL
// of the same registered domain (RFC 6596). It is only a hint: the page is read in any case, and
// the canonical URL later.
func canonicalOf(found []page.Hyperlink, u, base weburl.URL) (to weburl.URL, ok bool) {
	for _, l := range found {
		if l.Element != "link" || !hasToken(l.Rel, "canonical") {
			continue
		}
		to, err := weburl.Parse(l.URL, &base)
		if err != nil {
			continue
		}
		to = to.Normalize()
		return to, to.String() != u.Normalize().String() && registered.Domain(to.Host()) == registered.Domain(u.Host())
	}
	return to, false
}

// appendLink appends a link unless it leads to a crawler trap.
func appendLink(list []schedule.Link, to weburl.URL, promise float32) []schedule.Link {
	to = to.Normalize()
	if to.Trap() != weburl.NoTrap {
		return list
	}
	return append(list, linkTo(to, promise))
}

func linkTo(to weburl.URL, promise float32) schedule.Link {
	origin, target := scope.Origin(to)
	return schedule.Link{Origin: origin, Path: target, Promise: promise}
}

// hasToken reports whether a list of words contains word, regardless of case.
func hasToken(list, word string) bool {
	for _, f := range strings.Fields(list) {
		if strings.EqualFold(strings.Trim(f, ","), word) {
			return true
		}
	}
	return false
}

// languagePromise returns the promise of a link that states the language of its page.
func languagePromise(lang string, wanted []string) float32 {
	if len(wanted) == 0 {
		return neutralPromise
	}
	primary, _, _ := strings.Cut(strings.ToLower(lang), "-")
	for _, w := range wanted {
		if p, _, _ := strings.Cut(strings.ToLower(w), "-"); p == primary {
			return .95
		}
	}
	return .05
}
