package crawl

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/robots"
	"chaffinch/crawl/schedule"
	"chaffinch/crawl/simhash"
	"chaffinch/format/jsonl"
	"chaffinch/format/warc"
	"chaffinch/internal/panics"
	"chaffinch/page"
	"chaffinch/page/optout"
	"chaffinch/page/weburl"
	"chaffinch/pipeline"
	"chaffinch/text/langid"

	"github.com/zeebo/xxh3"
)

// Agent is the product token of the crawler, which robots.txt files name.
const Agent = optout.Agent

// Fetcher fetches from the web: a [fetch.Client].
type Fetcher interface {
	// Lookup returns the IP addresses of a host in the order to try. It returns none if names are
	// resolved elsewhere, as by a proxy.
	Lookup(ctx context.Context, host string) ([]netip.Addr, error)
	// Get requests a URL. It does not follow redirects.
	Get(ctx context.Context, u weburl.URL, opts fetch.Options) (*fetch.Result, error)
}

// do executes a task whose Take event is at place. A panic fails only the task, since a later run
// would receive the same response.
func (c *crawl) do(ctx context.Context, t schedule.Task, place uint64, group *robots.Group, optouts []optout.Statement) *result {
	r := &result{task: t, group: group, optouts: optouts, outcome: schedule.Outcome{Host: t.Host, Place: place}}
	if err := panics.Catch(func() error { c.work(ctx, r); return nil }); err != nil {
		r.failProcessing(err)
	}
	r.ended = ctx.Err() != nil
	return r
}

// work executes the task of r.
func (c *crawl) work(ctx context.Context, r *result) {
	t := r.task
	u, err := weburl.Parse(t.Origin+t.Path, nil)
	if err != nil { // it was parsed before it was queued
		r.fail(err)
		return
	}
	if c.excludeSite(u, r) {
		return
	}
	switch t.Kind {
	case schedule.Resolve:
		addresses, err := c.cfg.Fetcher.Lookup(ctx, u.Host())
		switch {
		case err != nil:
			r.fail(err)
		case len(addresses) == 0:
			r.outcome.Address = u.Host() // each host counts as a separate address
		default:
			r.outcome.Address = addresses[0].String()
		}
	case schedule.Robots:
		c.getRobots(ctx, u, r)
	case schedule.Reservations:
		c.getReservations(ctx, u, r)
	case schedule.Page:
		if t.Via != 0 {
			if r.via, r.fatal = readTaken(c.cfg.Dir, t.Via); r.fatal != nil {
				return
			}
		}
		c.getPage(ctx, u, r)
	}
}

// requestOptions returns the options of the request. prior is the response of an earlier crawl, or nil.
func (r *result) requestOptions(prior *priorPage) fetch.Options {
	opts := prior.conditions()
	opts.Address, _ = netip.ParseAddr(r.task.Address) // invalid if a proxy is used
	return opts
}

// maxHops is the most redirects of a robots.txt that are followed (RFC 9309, section 2.3.1.2).
const maxHops = 5

// getRobots fetches a robots.txt, or the target of one of its redirects.
func (c *crawl) getRobots(ctx context.Context, u weburl.URL, r *result) {
	r.guessLists = c.cfg.Schedule.Policy.Name == schedule.Site.Name
	resp, err := c.get(ctx, u, r.requestOptions(nil))
	status := 0
	if resp != nil {
		r.outcome.Took = resp.Total
	}
	if err == nil {
		r.answer = resp
		status, err = resp.Status, bodyError(resp)
		r.pack(u, resp, nil)
	}
	switch robots.Outcome(status, err) {
	case robots.Stated:
		r.setRobots(resp.Body[:min(len(resp.Body), robots.MaxBytes)])
	case robots.Redirected:
		if resp.Location.IsZero() || r.task.Hops >= maxHops {
			r.setRobots(nil)
			return
		}
		r.outcome.Redirect = linkTo(resp.Location, neutralPromise)
	case robots.Unrestricted:
		r.setRobots(nil)
	default:
		if r.outcome.Unavailable = true; err != nil {
			r.fail(err)
		}
		busy(resp, r)
	}
}

// setRobots records the body of a robots.txt. Relative sitemaps are resolved against its URL.
func (r *result) setRobots(body []byte) {
	rules := robots.Parse(body)
	group := rules.For(Agent)
	r.robots = &robotsEvent{Number: r.task.Rules, Body: append([]byte{}, body...), group: group}
	r.outcome.CrawlDelay = group.Delay
	at, err := weburl.Parse(r.task.Origin+r.task.Path, nil)
	if err != nil {
		return
	}
	lists := rules.Sitemaps[:min(len(rules.Sitemaps), maxSitemaps)]
	if len(lists) == 0 && r.guessLists {
		lists = usualLists
	}
	for _, s := range lists {
		if to, err := weburl.Parse(s, &at); err == nil {
			r.outcome.Links = appendList(r.outcome.Links, to)
		}
	}
}

// getReservations fetches a tdmrep.json. Redirects are not followed: a well-known file is of one origin,
// and pages of an origin that redirects everything are at another one, with its own file.
func (c *crawl) getReservations(ctx context.Context, u weburl.URL, r *result) {
	resp, err := c.get(ctx, u, r.requestOptions(nil))
	if err != nil {
		r.fail(err)
		return
	}
	r.answer, r.outcome.Took = resp, resp.Total
	r.pack(u, resp, nil)
	if !busy(resp, r) && resp.Status == 200 && len(resp.Body) > 0 {
		r.robots = &robotsEvent{Number: r.task.Rules | reservationsMark, Body: slices.Clone(resp.Body[:min(len(resp.Body), robots.MaxReservationBytes)])}
	}
}

// bodyError returns the error that cut off a body, nil if the body is complete or reaches the size
// limit: incomplete rules could allow too much.
func bodyError(resp *fetch.Result) error {
	if resp.Cut == page.None || resp.Cut == page.TooLarge {
		return nil
	}
	return resp.Fault
}

// busy records a response that requires a delay, and reports whether it does.
func busy(resp *fetch.Result, r *result) bool {
	if resp == nil || resp.Status != 429 && resp.Status != 503 {
		return false
	}
	r.outcome.Busy = true
	r.outcome.RetryAfter = retryAfter(resp)
	return true
}

// langNumber returns the number of a page's language among the wanted languages, from 1; 0 if it is
// not wanted or there are no shares.
func (c *crawl) langNumber(lang string) uint8 {
	if c.cfg.Schedule.Shares == nil {
		return 0
	}
	return uint8(1 + slices.IndexFunc(c.langs, func(w string) bool { return langid.Covers(w, lang) }))
}

// maxType is the most bytes of a media type.
const maxType = 64

var hashers = sync.Pool{New: func() any { return simhash.NewHasher() }}

// whileProcessing is replaced by tests.
var whileProcessing = func(url string) {}

// getPage fetches and cleans a page.
func (c *crawl) getPage(ctx context.Context, u weburl.URL, r *result) {
	if err := c.processing.checkGivenUp(u.String()); err != nil {
		r.failProcessing(err)
		return
	}
	prior := c.previous.find(u)
	resp, err := c.get(ctx, u, r.requestOptions(prior))
	if err != nil {
		r.fail(err)
		return
	}
	r.answer = resp
	r.outcome.Took = resp.Total
	r.page = &pageEvent{URL: u.String(), Status: resp.Status, Depth: r.task.Depth}
	if busy(resp, r) {
		r.page.Reason = "busy"
		return
	}
	if resp.Header.Has("TDM-Reservation") { // precedes the file
		r.optouts = slices.DeleteFunc(r.optouts, func(s optout.Statement) bool { return s.Place == inReservations })
	}
	r.pack(u, resp, prior)
	done, ok, err := c.processing.begin(ctx, u.String())
	if err != nil || !ok {
		r.fatal = err
		return
	}
	defer func() { r.fatal = errors.Join(r.fatal, done()) }()
	whileProcessing(u.String())
	if resp.Status == 304 && prior != nil {
		if resp, err = prior.merge(u, resp); err != nil {
			r.failProcessing(err)
			return
		}
	}
	r.outcome.Bytes = int64(len(resp.Body))
	if c.hasNoText(u, r, resp) {
		return
	}
	p := r.newPage(u, resp, prior)
	fieldOptout := p.Meta.Optout // without the statements in the page
	need := pipeline.Memory(p)
	if !c.pages.Take(need, 0) { // the crawl ends
		return
	}
	defer func() { c.pages.Give(need) }()
	c.cleanPage(ctx, r, p)
	linked := p // the page whose links are followed
	if c.needsRendering(r, p) {
		c.pages.Give(need) // the page waits for the browser
		need = 0
		r.fatal = done()
		done = func() error { return nil }
		now := c.render(ctx, u, r, resp)
		next, ok, err := c.processing.begin(ctx, u.String())
		if err != nil || !ok {
			r.fatal = errors.Join(r.fatal, err)
			return
		}
		done = next
		if now != nil {
			now.Meta.Fetched, now.Meta.Optout = p.Meta.Fetched, fieldOptout
			more := pipeline.Memory(now)
			if !c.pages.Take(more, 0) {
				return
			}
			need = more
			c.cleanPage(ctx, r, now)
			linked, r.page.Render.Links = now, max(0, len(now.Links)-len(p.Links))
			if r.replace(u, resp, prior, p, now) {
				p, r.outcome.Bytes = now, max(r.outcome.Bytes, int64(len(now.HTML)))
			}
		}
	}
	refused := c.followLinks(u, r, p, linked)
	if r.page.Reason = r.dropReason(p, refused); r.page.Reason == "" {
		c.recordText(r, p, resp)
	}
}

// hasNoText reports whether a response has no text to clean, and records its links: it is a
// redirect, an error or a sitemap.
func (c *crawl) hasNoText(u weburl.URL, r *result, resp *fetch.Result) bool {
	switch {
	case resp.Status >= 300 && resp.Status < 400:
		r.page.Reason = redirect
		if !resp.Location.IsZero() {
			r.outcome.Links, r.outcome.Redirected = appendLink(nil, resp.Location, neutralPromise), true
			r.page.Moved = r.task.Depth == 0 && r.task.Via == 0 && (resp.Status == 301 || resp.Status == 308)
		}
		return true
	case resp.Status != 200:
		r.page.Reason = "status"
		return true
	}
	list, ok := c.sitemapLinks(resp, u)
	if ok {
		r.outcome.Bytes, r.outcome.Links = 0, list
		if r.page.Reason = sitemapOnly; resp.Cut != page.None {
			r.page.Reason = sitemapCut
		}
	}
	return ok
}

// newPage returns the page of a response, with the restrictions stated outside of its text.
func (r *result) newPage(u weburl.URL, resp *fetch.Result, prior *priorPage) *page.Page {
	p := &page.Page{ID: u.String(), URL: u.String(), Raw: resp.Body}
	p.MIME, p.HTTPCharset = warc.MediaType(resp.Header.Get("Content-Type"))
	if p.Meta.Fetched = resp.Start.UTC().Format(time.RFC3339); r.page.Status == 304 {
		p.Meta.Fetched = prior.date
	}
	for _, f := range resp.Header {
		p.Meta.Optout = optout.Append(p.Meta.Optout, optout.Field(f.Name, f.Value, Agent)...)
	}
	p.Meta.Optout = optout.Append(p.Meta.Optout, r.optouts...)
	return p
}

// followLinks records the properties of a cleaned page and the links to follow: the links of
// linked, which is p or its rendered form. It returns the uses that the site refuses.
func (c *crawl) followLinks(u weburl.URL, r *result, p, linked *page.Page) optout.Refusals {
	r.outcome.Match = matchWords(r.task.Words, linked)
	found, canonical := links(linked, u, c.langs)
	r.page.Canonical = canonical
	r.page.Optout = optout.Append(p.Meta.Optout, optout.Parse(linked.Meta.Optout)...)
	refused := optout.Refused(optout.Parse(r.page.Optout))
	if refused&optout.Follow == 0 {
		r.outcome.Links = found
	}
	r.page.Lang, r.page.Refused = p.Lang, refused.String()
	if p.Format != "" || p.Drop == page.NotText || p.Drop == page.OtherFormat {
		r.page.Type = strings.ToLower(p.MIME[:min(len(p.MIME), maxType)])
	}
	return refused
}

// dropReason returns why the text of a page is not kept, "" if it is. If a script redirects, it
// records the target.
func (r *result) dropReason(p *page.Page, refused optout.Refusals) string {
	switch {
	case refused&^optout.Follow != 0:
		return optedOut
	case hasRefresh(p):
		return redirect
	case !r.scriptRedirect.IsZero() && p.Drop != page.None:
		r.outcome.Links = appendLink(r.outcome.Links, r.scriptRedirect, neutralPromise)
		return redirect
	case p.Drop != page.None:
		r.page.Rule, _, _ = strings.Cut(p.Rule, " ")
		return p.Drop.String()
	}
	return ""
}

// recordText records the text of a page.
func (c *crawl) recordText(r *result, p *page.Page, resp *fetch.Result) {
	text := p.Text()
	r.outcome.Clean, r.outcome.Lang = int64(len(text)), c.langNumber(p.Lang)
	if at, err := http.ParseTime(resp.Header.Get("Last-Modified")); err == nil && !at.After(r.answer.Start) && at.Unix() > 0 {
		r.page.Modified = at.Unix()
	}
	r.page.Text = max(xxh3.HashString(text), 1)
	h := hashers.Get().(*simhash.Hasher)
	r.page.Near = h.Of(text)
	hashers.Put(h)
	r.record = jsonl.Encoder{}.Append(nil, p)
}

// cleanPage cleans a page.
func (c *crawl) cleanPage(ctx context.Context, r *result, p *page.Page) {
	if err := c.cleaner.Do(ctx, p); err != nil {
		if r.processingErr = err; p.Drop == page.None {
			p.Drop = page.Failed
		}
	}
}
