package crawl

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/crawl/robots"
	"chaffinch/crawl/scope"
	"chaffinch/format/warc"
	"chaffinch/page/weburl"
)

// embedPause is the least time between two requests of rendered pages to a host, unless the delay of
// the crawl is shorter.
const embedPause = time.Second

var (
	errDisallowed = errors.New("robots.txt disallows it")
	errExcluded   = errors.New("the site asked to be excluded")
	errEnded      = errors.New("the time for the page is over")
)

// embedded sends the requests of a rendered page.
type embedded struct {
	c       *crawl
	page    weburl.URL
	group   *robots.Group // rules for the origin of the page
	address string        // of the host of the page

	mu      sync.Mutex
	archive []byte        // packed records
	all     int           // requests that were sent
	own     int           // requests to the host of the page
	took    time.Duration // time of these
}

// fetch answers a request of the page: from the cache of scripts, or by a request that obeys
// robots.txt and the delays.
func (e *embedded) fetch(ctx context.Context, u weburl.URL, accept string) (*fetch.Result, error) {
	if res := e.c.rendering.scripts.get(u.String()); res != nil {
		return res, nil
	}
	if at, target := scope.Origin(u); e.c.cfg.ExcludedSites.Match(at, target) != "" {
		return nil, errExcluded
	}
	rules := siteRules{group: e.group}
	if origin(u) != origin(e.page) {
		var err error
		if rules, err = e.c.rendering.embeds.get(ctx, origin(u), func(siteRules) (siteRules, time.Duration) {
			if g, ok := e.rules(ctx, u); ok {
				return siteRules{group: g}, rulesAge
			}
			return siteRules{}, noRulesAge
		}); err != nil {
			return nil, err
		}
	}
	if !rules.allows(u.Target()) {
		return nil, errDisallowed
	}
	res, err := e.get(ctx, u, accept, rules.group.Delay)
	if err == nil {
		e.c.rendering.scripts.add(u.String(), res)
	}
	return res, err
}

func origin(u weburl.URL) string { return u.Scheme() + "://" + u.HostPort() }

// get sends a request, as soon as the host and its address allow it, and packs the response.
func (e *embedded) get(ctx context.Context, u weburl.URL, accept string, delay time.Duration) (*fetch.Result, error) {
	c := e.c
	pause := max(min(c.cfg.Schedule.Delay, embedPause), delay)
	opts := fetch.Options{Accept: accept}
	own := u.Host() == e.page.Host()
	if own {
		opts.Address, _ = netip.ParseAddr(e.address)
	} else if list, err := c.cfg.Fetcher.Lookup(ctx, u.Host()); err != nil {
		return nil, err
	} else if len(list) > 0 {
		opts.Address = list[0]
	}
	leave, ok := c.enter(ctx, u.Host(), opts.Address, true, pause, pause)
	if !ok {
		return nil, errEnded
	}
	res, err := c.cfg.Fetcher.Get(ctx, u, opts)
	leave()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all++
	if own {
		e.own++
		if res != nil {
			e.took += res.Total
		}
	}
	if err != nil {
		return nil, err
	}
	defer res.Release()
	w := newPacker()
	w.add(u, res, nil, warc.Field{Name: warc.ResourceType, Value: "fetch"})
	b, err := w.finish()
	if err != nil {
		return nil, err
	}
	e.archive = append(e.archive, b...)
	return &fetch.Result{Status: res.Status, Header: res.Header, Body: slices.Clone(res.Body)}, nil
}

// rules fetches the robots.txt of an origin. ok is false if it is not available.
func (e *embedded) rules(ctx context.Context, u weburl.URL) (g *robots.Group, ok bool) {
	at, err := weburl.Parse("/robots.txt", &u)
	for hops := 0; err == nil; hops++ {
		var res *fetch.Result
		status := 0
		if res, err = e.get(ctx, at, "", 0); err == nil {
			status, err = res.Status, bodyError(res)
		}
		switch robots.Outcome(status, err) {
		case robots.Stated:
			return robots.Parse(res.Body[:min(len(res.Body), robots.MaxBytes)]).For(Agent), true
		case robots.Unrestricted:
			return robots.Parse(nil).For(Agent), true
		case robots.Redirected:
			to := res.Location
			if to.IsZero() || hops >= maxHops {
				return robots.Parse(nil).For(Agent), true
			}
			at = to
		default:
			return nil, false
		}
	}
	return nil, false
}

// enter waits until a request may be sent to a host and its address, each with its pause, see gate.enter.
func (c *crawl) enter(ctx context.Context, host string, address netip.Addr, embed bool, pause, addressPause time.Duration) (leave func(), ok bool) {
	leaveHost, ok := c.rendering.gate.enter(ctx, "host "+host, embed, pause)
	if !ok || !address.IsValid() {
		return leaveHost, ok
	}
	leaveAddress, ok := c.rendering.gate.enter(ctx, address.String(), embed, addressPause)
	if !ok {
		leaveHost()
		return nil, false
	}
	return func() { leaveAddress(); leaveHost() }, true
}

// get sends the request of a task. It waits for requests of rendered pages to the host.
func (c *crawl) get(ctx context.Context, u weburl.URL, opts fetch.Options) (*fetch.Result, error) {
	if c.cfg.Renderer != nil {
		leave, ok := c.enter(ctx, u.Host(), opts.Address, false, c.cfg.Schedule.Delay, c.cfg.Schedule.Delay)
		if !ok {
			return nil, ctx.Err()
		}
		defer leave()
	}
	return c.cfg.Fetcher.Get(ctx, u, opts)
}

// originRules holds the rules of recent origins: of the requests of rendered pages, apart from the origins
// of the pages, or of the visits of a [Worker].
type originRules struct {
	most    int // origins that are kept; maxEmbedOrigins if 0
	mu      sync.Mutex
	origins map[string]*cachedRules
}

type cachedRules struct {
	siteRules
	busy  chan struct{} // has an element while the rules are fetched
	until time.Time
}

const (
	maxEmbedOrigins = 2048
	rulesAge        = 24 * time.Hour
	noRulesAge      = 10 * time.Minute // after a failure, which forbids everything
)

// get returns the rules of an origin. It calls fetch with the last rules if there are none, or if they are
// too old. fetch returns rules and how long they apply.
func (x *originRules) get(ctx context.Context, origin string, fetch func(was siteRules) (siteRules, time.Duration)) (siteRules, error) {
	x.mu.Lock()
	o := x.origins[origin]
	if o == nil {
		if x.origins == nil || len(x.origins) >= cmp.Or(x.most, maxEmbedOrigins) {
			x.origins = map[string]*cachedRules{}
		}
		o = &cachedRules{busy: make(chan struct{}, 1)}
		x.origins[origin] = o
	}
	x.mu.Unlock()
	select {
	case o.busy <- struct{}{}:
		defer func() { <-o.busy }()
	case <-ctx.Done():
		return siteRules{}, errEnded
	}
	if time.Now().Before(o.until) {
		return o.siteRules, nil
	}
	rules, valid := fetch(o.siteRules)
	if valid != rulesAge && ctx.Err() != nil { // the page ended, the origin is not to blame
		return siteRules{}, errEnded
	}
	o.siteRules, o.until = rules, time.Now().Add(valid)
	return rules, nil
}

// scriptCache holds the scripts of rendered pages, which the pages of a site share.
type scriptCache struct {
	mu    sync.Mutex
	byURL map[string]cachedScript
	order []string // oldest first
	bytes int
}

type cachedScript struct {
	*fetch.Result
	until time.Time
}

const (
	maxCached = 32 << 20
	cachedFor = time.Hour
)

func (s *scriptCache) get(url string) *fetch.Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x, ok := s.byURL[url]; ok && time.Now().Before(x.until) {
		return x.Result
	}
	return nil
}

// add adds a response if it is a script that may be stored.
func (s *scriptCache) add(url string, res *fetch.Result) {
	media, _ := warc.MediaType(res.Header.Get("Content-Type"))
	if res.Status != 200 || !strings.Contains(strings.ToLower(media), "javascript") || strings.Contains(strings.ToLower(res.Header.Get("Cache-Control")), "no-store") || len(res.Body) > maxCached/4 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if was, ok := s.byURL[url]; ok {
		s.bytes -= len(was.Body)
		s.order = slices.DeleteFunc(s.order, func(u string) bool { return u == url })
	}
	if s.byURL == nil {
		s.byURL = map[string]cachedScript{}
	}
	s.byURL[url] = cachedScript{res, time.Now().Add(cachedFor)}
	s.order = append(s.order, url)
	for s.bytes += len(res.Body); s.bytes > maxCached; s.order = s.order[1:] {
		s.bytes -= len(s.byURL[s.order[0]].Body)
		delete(s.byURL, s.order[0])
	}
}
