// Package render runs the scripts of web pages in Chromium and returns the resulting HTML.
// [New] returns a [Pool] of pages; [Pool.Render] renders a page.
//
// The browser has no network. All requests of a page are paused by the DevTools protocol and
// answered by [Page.Fetch], so that the caller decides about robots.txt, delays, private addresses
// and archives. Images, media, fonts and frames are refused, and style sheets are empty. Names do
// not resolve and the proxy does not exist, so that requests which the protocol does not pause, such
// as WebSockets, reach nothing.
//
// Timers run in virtual time: a page that waits for a second is rendered in less, and endless
// timers end. Processes, memory, wall time, requests and the size of the HTML are limited. The
// browser is replaced after a number of pages, after a crash and when it exceeds its memory.
//
// The package is available on Unix.
//
// Unstable: this package may change in any release.
package render

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"chaffinch/crawl/fetch"
	"chaffinch/page/weburl"
)

// Config configures a [Pool].
type Config struct {
	// Program is the path of Chromium or Chrome, not of a shell script that starts it. Default: the
	// result of [Find].
	Program string
	// NoSandbox runs the browser without its sandbox, which it needs as root and in some
	// containers. A flaw of the browser then gives a page the rights of the user.
	NoSandbox bool
	// Agent is the name of the crawler. Scripts see it after the name of the browser. Default: none.
	Agent string

	// Tabs is the number of pages rendered concurrently. Default: GOMAXPROCS.
	Tabs int
	// Pages is the number of pages after which the browser is replaced. Default: 100.
	Pages int
	// Memory is the most bytes of memory of all processes of the browser, on Linux. Default: 1.5
	// GiB.
	Memory int64
	// Time limits the time for a page. Scripts run for Virtual, in which waiting for timers takes
	// no time. Defaults: 30 and 5 seconds.
	Time, Virtual time.Duration
	// MaxBytes is the most bytes of the HTML of a rendered page. Default: 10 MiB.
	MaxBytes int
	// MaxRequests is the most requests of a page that are passed to [Page.Fetch]. Default: 40.
	MaxRequests int
}

// Default is the configuration for web pages.
var Default = Config{
	Pages:  100,
	Memory: 3 << 29,
	Time:   30 * time.Second, Virtual: 5 * time.Second,
	MaxBytes: 10 << 20, MaxRequests: 40,
}

// Check returns an error for settings with which no page can be rendered.
func (cfg Config) Check() error {
	switch {
	case cfg.Tabs < 0:
		return fmt.Errorf("tabs: %d, wanted at least 0", cfg.Tabs)
	case cfg.Pages < 1:
		return fmt.Errorf("pages of a browser: %d, wanted at least 1", cfg.Pages)
	case cfg.Memory <= 0:
		return fmt.Errorf("memory of the browser: %d bytes, wanted at least 1", cfg.Memory)
	case cfg.Time <= 0 || cfg.Virtual <= 0:
		return fmt.Errorf("time for a page: %v and %v of virtual time, wanted more than 0", cfg.Time, cfg.Virtual)
	case cfg.MaxBytes < 1:
		return fmt.Errorf("limit of a rendered page: %d bytes, wanted at least 1", cfg.MaxBytes)
	case cfg.MaxRequests < 0:
		return fmt.Errorf("limit of requests: %d, wanted at least 0", cfg.MaxRequests)
	}
	return checkUser(cfg)
}

// Page is a page to render.
type Page struct {
	// URL is the address of the page, and Document its response.
	URL      weburl.URL
	Document *fetch.Result
	// Fetch answers a request of the page. It may be called concurrently. accept is the Accept field
	// of the request. The browser receives an error as a failed request.
	Fetch func(ctx context.Context, u weburl.URL, accept string) (*fetch.Result, error)
}

// Result is a rendered page.
type Result struct {
	// HTML is the document after its scripts have run, with open and closed shadow roots as
	// templates.
	HTML string
	// Cut reports that the scripts did not end in time: HTML is the document at that time.
	Cut bool
	// Location is the page to which a script redirects; zero for none. It is not visited.
	Location weburl.URL
	// Requests is the number of requests that were passed to [Page.Fetch].
	Requests int
}

// Reason is the reason why a page was not rendered.
type Reason uint8

// Reasons. Their order is not part of any format: files hold the names.
const (
	Failed    Reason = iota // other reasons
	NoBrowser               // the browser could not be started
	Crashed                 // the browser or the page crashed
	TooSlow                 // the scripts blocked the page until its time was over
	TooLarge                // the HTML has more bytes than the limit
	TooMuch                 // the browser exceeded its memory
	Canceled                // the caller canceled the page
)

var reasons = [...]string{"failed", "no-browser", "crashed", "too-slow", "too-large", "memory", "canceled"}

// String returns the name of r, such as "too-slow".
func (r Reason) String() string { return reasons[r] }

// Error is the error of a page that was not rendered.
type Error struct {
	Reason Reason
	Err    error
}

// Error returns the reason and the cause.
func (e *Error) Error() string { return fmt.Sprintf("%s: %v", e.Reason, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrNotFound is the error of a machine without Chromium.
var ErrNotFound = errors.New("no Chromium")

// ErrRoot is the error of root without [Config.NoSandbox].
var ErrRoot = errors.New("as root, Chromium has no sandbox: wanted another user")

var errTime = errors.New("the time for the page is over")

// Pool renders pages in a browser, which is started for the first page. It is safe for concurrent
// use.
type Pool struct {
	cfg  Config
	tabs chan struct{}

	mu      sync.Mutex
	browser *browser // for new pages; nil before the first one
	old     sync.WaitGroup
	closed  bool
	failed  error // of the last start
	fails   int   // consecutive failed starts
}

// maxFails is the number of consecutive failed starts after which no browser is started.
const maxFails = 3

// New returns a pool. It starts no browser.
func New(cfg Config) (*Pool, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if cfg.Program == "" {
		var err error
		if cfg.Program, err = Find(); err != nil {
			return nil, err
		}
	}
	if err := checkProgram(cfg.Program); err != nil {
		return nil, err
	}
	if cfg.Tabs == 0 {
		cfg.Tabs = runtime.GOMAXPROCS(0)
	}
	return &Pool{cfg: cfg, tabs: make(chan struct{}, cfg.Tabs)}, nil
}

// Render renders a page. The error is an [*Error].
func (p *Pool) Render(ctx context.Context, in Page) (*Result, error) {
	select {
	case p.tabs <- struct{}{}:
	case <-ctx.Done():
		return nil, &Error{Canceled, ctx.Err()}
	}
	defer func() { <-p.tabs }()
	b, err := p.take()
	if err != nil {
		return nil, &Error{NoBrowser, err}
	}
	defer p.release(b)
	res, err := b.render(ctx, in)
	switch {
	case err == nil:
		return res, nil
	case ctx.Err() != nil:
		return nil, &Error{Canceled, ctx.Err()}
	}
	return nil, b.explain(err)
}

// take returns a browser for a page. It starts a browser if there is none, or if the current one has
// ended or rendered enough pages.
func (p *Pool) take() (*browser, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("the pool is closed")
	}
	if b := p.browser; b != nil && (b.ended() || b.pages >= p.cfg.Pages) {
		p.retire()
	}
	if p.browser == nil {
		if p.fails >= maxFails {
			return nil, p.failed
		}
		b, err := startBrowser(p.cfg)
		if p.failed = err; err != nil {
			p.fails++
			return nil, err
		}
		p.browser, p.fails = b, 0
	}
	p.browser.pages++
	p.browser.running++
	return p.browser, nil
}

// retire closes the current browser when its last page is rendered. The caller holds p.mu.
func (p *Pool) retire() {
	b := p.browser
	p.browser, b.retired = nil, true
	p.closeUnused(b)
}

// closeUnused closes a retired browser without pages. The caller holds p.mu.
func (p *Pool) closeUnused(b *browser) {
	if b.retired && b.running == 0 {
		p.old.Go(b.close)
	}
}

func (p *Pool) release(b *browser) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b.running--
	p.closeUnused(b)
}

// Close ends the browsers. Pages must not be rendered at the same time.
func (p *Pool) Close() error {
	p.mu.Lock()
	if p.closed = true; p.browser != nil {
		p.retire()
	}
	p.mu.Unlock()
	p.old.Wait()
	return nil
}
