package crawl

import (
	"bytes"
	"strings"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/schedule"
	"chaffinch/crawl/sitemap"
	"chaffinch/extract"
	"chaffinch/page/weburl"
)

const (
	// maxSitemaps is the most sitemaps of a robots.txt that are followed.
	maxSitemaps = 500
	// listPromise is the promise of a sitemap, entryPromise the promise of a page in one.
	listPromise  = .9
	entryPromise = .6
	// changedPromise, newPromise and unchangedPromise are the promises of dated entries in a repeated crawl:
	// of pages that changed after their last visit, that were not visited, and of the others.
	changedPromise, newPromise, unchangedPromise = .95, .9, .2
)

// appendList appends a link to a sitemap or a feed unless it leads to a crawler trap.
func appendList(links []schedule.Link, to weburl.URL) []schedule.Link {
	n := len(links)
	if links = appendLink(links, to, listPromise); len(links) > n {
		links[n].List = true
	}
	return links
}

// usualLists are the lists of URLs of most sites whose robots.txt names none.
var usualLists = []string{"/sitemap.xml", "/sitemap_index.xml", "/feed/"}

// sitemapLinks returns the links of a sitemap or a feed, which servers often send as HTML. It returns
// false if the response is no such list. Only links to the host of the list count, since a list
// could claim anything about other hosts.
func (c *crawl) sitemapLinks(resp *fetch.Result, u weburl.URL) (links []schedule.Link, ok bool) {
	media := strings.ToLower(resp.Header.Get("Content-Type"))
	isList := extract.IsList(resp.Body)
	if !isList && (strings.Contains(media, "html") || !strings.Contains(media, "xml") && !strings.Contains(media, "gzip") && !strings.Contains(strings.ToLower(u.Path()), ".xml")) {
		return nil, false
	}
	r, err := sitemap.NewReader(bytes.NewReader(resp.Body), u, sitemap.Default)
	if err != nil {
		return nil, false
	}
	defer r.Close()
	add := func(to weburl.URL, promise float32) {
		if to.Host() == u.Host() {
			links = appendLink(links, to, promise)
		}
	}
	for e, err := range r.All() {
		if err != nil {
			continue // valid entries count
		}
		switch {
		case e.Sitemap:
			if e.URL.Host() == u.Host() {
				links = appendList(links, e.URL)
			}
		default:
			n := len(links)
			add(e.URL, c.entryPromise(e))
			if at := e.Modified.Unix(); len(links) > n && at > 0 && !e.Modified.IsZero() {
				links[n].Modified = at
			}
		}
		for _, a := range e.Alternates {
			add(a.URL, languagePromise(a.Lang, c.langs))
		}
	}
	return links, isList || len(links) > 0
}

// entryPromise returns the promise of a page in a list.
func (c *crawl) entryPromise(e *sitemap.Entry) float32 {
	if c.previous == nil || e.Modified.IsZero() || e.Modified.After(time.Now()) {
		return entryPromise
	}
	switch last, ok := c.previous.visited(e.URL.Normalize()); {
	case !ok:
		return newPromise
	case e.Modified.After(last):
		return changedPromise
	}
	return unchangedPromise
}
