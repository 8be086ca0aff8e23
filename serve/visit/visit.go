// Package visit fetches single web pages for clients of a server. [New] returns a [Visitor];
// [Visitor.Page] fetches a page.
//
// Clients could use the server to reach addresses inside its firewall, on its machine or in
// its cloud (server-side request forgery). So a name is resolved once, and the checked
// address is dialled; addresses outside of the public internet are refused, in any notation
// and after each redirect; and errors do not reveal the content of a refused address. Pages
// are fetched as by a crawler: it obeys robots.txt, and sends one request at a time to a
// host, with a pause between requests.
//
// Unstable: this package may change in any release.
package visit

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"chaffinch/crawl"
	"chaffinch/crawl/fetch"
	"chaffinch/crawl/robots"
	"chaffinch/format/warc"
	"chaffinch/page"
	"chaffinch/page/optout"
	"chaffinch/page/weburl"
	"chaffinch/serve/problem"
)

// Config configures a Visitor.
type Config struct {
	// Contact is the e-mail address or web page of the person responsible, sent with every
	// request. Version is the version of the program.
	Contact, Version string
	// MaxBytes bounds a page, Total the time for it. Zero is the default of fetch.
	MaxBytes int64
	Total    time.Duration
	// Pause is the least time between two requests to a host.
	Pause time.Duration
	// Net replaces the network, in tests. Default: the network of the machine.
	Net func(fetch.Config) (fetch.Config, error)
}

// Visitor fetches pages. It is safe for concurrent use.
type Visitor struct {
	client *fetch.Client
	pause  time.Duration
	mu     sync.Mutex
	hosts  map[string]*host
}

// host is the state of a host. The holder of its turn may read and change the other fields.
type host struct {
	turn  chan struct{}
	ready time.Time              // when it may be asked again
	rules map[string]robotsRules // by origin
}

// robotsRules holds the rules of a robots.txt.
type robotsRules struct {
	group   *robots.Group // nil: nothing may be fetched
	expires time.Time
}

// Bounds of the cache and of redirects.
const (
	maxHosts     = 10_000
	maxRedirects = 5
	keepRules    = time.Hour
	keepNothing  = time.Minute // of a robots.txt that could not be fetched
	maxPause     = 10 * time.Second
)

// New returns a Visitor.
func New(cfg Config) (*Visitor, error) {
	net := fetch.Default
	net.UserAgent = crawl.UserAgent(cfg.Version, cfg.Contact)
	net.KeepAlive = 0
	net.VerifyTLS = true // the page must come from the requested address
	if cfg.MaxBytes > 0 {
		net.MaxBytes = cfg.MaxBytes
	}
	if cfg.Total > 0 {
		net.Total = cfg.Total
	}
	if cfg.Net != nil {
		var err error
		if net, err = cfg.Net(net); err != nil {
			return nil, err
		}
	}
	c, err := fetch.New(net)
	if err != nil {
		return nil, err
	}
	return &Visitor{client: c, pause: cfg.Pause, hosts: map[string]*host{}}, nil
}

// Close closes connections.
func (v *Visitor) Close() error { return v.client.Close() }

// Page fetches the page at an address, over at most five redirects. The error is a
// problem: an address that cannot be read or may not be fetched is 422, one whose
// server does not give it 502.
func (v *Visitor) Page(ctx context.Context, address string) (*page.Page, error) {
	u, err := weburl.Parse(address, nil)
	if err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "url: %v", err)
	}
	for range maxRedirects + 1 {
		resp, err := v.get(ctx, u)
		if err != nil {
			return nil, err
		}
		switch {
		case resp.Status >= 300 && resp.Status < 400 && !resp.Location.IsZero():
			u = resp.Location
			continue
		case resp.Status != http.StatusOK:
			return nil, problem.New(http.StatusBadGateway, "url: the server answered with status %d", resp.Status)
		}
		return pageOf(u, resp), nil
	}
	return nil, problem.New(http.StatusBadGateway, "url: more than %d redirects", maxRedirects)
}

// pageOf returns an answer as a page.
func pageOf(u weburl.URL, resp *fetch.Result) *page.Page {
	p := &page.Page{ID: u.String(), URL: u.String(), Raw: resp.Body, Cut: resp.Cut}
	p.MIME, p.HTTPCharset = warc.MediaType(resp.Header.Get("Content-Type"))
	p.Meta.Fetched = resp.Start.UTC().Format(time.RFC3339)
	for _, f := range resp.Header {
		p.Meta.Optout = optout.Append(p.Meta.Optout, optout.Field(f.Name, f.Value, optout.Agent)...)
	}
	return p
}

// get fetches an address, if robots.txt allows it, when the pause of its host has passed.
func (v *Visitor) get(ctx context.Context, u weburl.URL) (*fetch.Result, error) {
	h := v.host(u.Host())
	select { // its turn
	case h.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-h.turn }()
	group, err := v.rules(ctx, h, u)
	if err != nil {
		return nil, err
	}
	if group == nil {
		return nil, problem.New(http.StatusBadGateway, "url: robots.txt of %s could not be fetched, so no page may be fetched", u.Host())
	}
	if ok, rule := group.Allowed(u.Target()); !ok {
		return nil, problem.New(http.StatusUnprocessableEntity, "url: disallowed by robots.txt of %s (line %d: %s)", u.Host(), rule.Line, rule.Pattern)
	}
	resp, err := v.ask(ctx, h, u, max(v.pause, min(group.Delay, maxPause)))
	if err != nil {
		return nil, opaque(ctx, err)
	}
	return resp, nil
}

// ask asks the host once it is ready, and notes when it is ready again.
func (v *Visitor) ask(ctx context.Context, h *host, u weburl.URL, pause time.Duration) (*fetch.Result, error) {
	select {
	case <-time.After(time.Until(h.ready)):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { h.ready = time.Now().Add(pause) }()
	return v.client.Get(ctx, u, fetch.Options{})
}

// refused reports whether a request failed for a reason that holds for the page as well as
// for robots.txt.
func refused(r fetch.Reason) bool {
	switch r {
	case fetch.PrivateAddress, fetch.NoName, fetch.NoResolver, fetch.BadPort, fetch.BadCertificate:
		return true
	}
	return false
}

// opaque returns the problem of an address that could not be fetched. It says as much
// of an address that is refused as of one that does not exist.
func opaque(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if e := (*fetch.Error)(nil); errors.As(err, &e) {
		switch e.Reason {
		case fetch.PrivateAddress, fetch.NoName, fetch.NoResolver, fetch.BadPort:
			return problem.New(http.StatusUnprocessableEntity, "url: not a public web address")
		case fetch.BadCertificate:
			return problem.New(http.StatusBadGateway, "url: the certificate of %s is not valid: %v", e.URL.Host(), e.Err)
		}
		return problem.New(http.StatusBadGateway, "url: the server does not respond (%s)", e.Reason)
	}
	return problem.New(http.StatusBadGateway, "url: the server does not respond")
}

// host returns the state of a host.
func (v *Visitor) host(name string) *host {
	v.mu.Lock()
	defer v.mu.Unlock()
	h := v.hosts[name]
	if h == nil {
		if len(v.hosts) >= maxHosts {
			clear(v.hosts) // hosts with waiting requests are kept
		}
		h = &host{turn: make(chan struct{}, 1), rules: map[string]robotsRules{}}
		v.hosts[name] = h
	}
	return h
}

// rules returns the rules of robots.txt at the origin of u (RFC 9309), or nil if it could
// not be fetched. The caller holds the turn of h.
func (v *Visitor) rules(ctx context.Context, h *host, u weburl.URL) (*robots.Group, error) {
	origin := u.Root().String()
	if k, ok := h.rules[origin]; ok && time.Now().Before(k.expires) {
		return k.group, nil
	}
	group, err := v.readRules(ctx, h, u)
	if err != nil {
		return nil, err
	}
	keep := keepRules
	if group == nil {
		keep = keepNothing
	}
	h.rules[origin] = robotsRules{group, time.Now().Add(keep)}
	return group, nil
}

// readRules fetches robots.txt, over redirects too.
func (v *Visitor) readRules(ctx context.Context, h *host, u weburl.URL) (*robots.Group, error) {
	at, err := weburl.Parse("/robots.txt", &u)
	if err != nil {
		return nil, problem.New(http.StatusUnprocessableEntity, "url: %v", err)
	}
	for range maxRedirects + 1 {
		resp, err := v.ask(ctx, h, at, 0) // the page comes at once: they are one visit
		if e := (*fetch.Error)(nil); ctx.Err() != nil || errors.As(err, &e) && refused(e.Reason) {
			return nil, opaque(ctx, err)
		}
		status := 0
		if err == nil {
			status = resp.Status
			if resp.Cut != page.None && resp.Cut != page.TooLarge {
				err = resp.Fault
			}
		}
		switch robots.Outcome(status, err) {
		case robots.Stated:
			return robots.Parse(resp.Body[:min(len(resp.Body), robots.MaxBytes)]).For(optout.Agent), nil
		case robots.Unrestricted:
			return new(robots.Group), nil
		case robots.Redirected:
			if resp.Location.IsZero() {
				return new(robots.Group), nil
			}
			at = resp.Location
		default:
			return nil, nil
		}
	}
	return new(robots.Group), nil
}
