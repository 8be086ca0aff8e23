// Package schedule decides which URLs a crawl fetches, and when. [Open] returns a [Scheduler];
// [Scheduler.Take] returns the next task, and [Scheduler.Done] records its outcome.
//
// A [Scheduler] is a function of its state and the next event: it reads no clock, opens no
// connection and starts no goroutine. A real crawl, a simulated one and the replay of a journal
// therefore run the same code. The events are its methods: [Scheduler.Add], [Scheduler.Take],
// [Scheduler.Done], [Scheduler.Lost] and [Scheduler.Save]. Each receives the time.
//
// Order and stopping depend on the yield of a host: the share of its bytes that becomes new clean
// text in a wanted language (Suchomel and Pomikálek, "Efficient Web Crawling for Large Text
// Corpora", 2012, section 2); see [Policy].
//
// Politeness: there is one request at a time per host, regardless of scheme and port, and per
// address, with a delay from the end of a response to the next request. The robots.txt of each
// scheme and port is fetched before its first page and again after a day (RFC 9309). Errors never
// shorten delays. A redirected robots.txt is requested from the other host in its turn.
//
// Unstable: this package may change in any release.
package schedule

import "time"

// Kind is the kind of a task.
type Kind uint8

// Kinds of tasks. A host receives the first three in this order.
const (
	Resolve Kind = iota // resolve the address of a host
	Robots              // fetch a robots.txt
	Page                // fetch a page
	// Reservations fetches a tdmrep.json, once after robots.txt and before the first page. It is last,
	// since journals contain the numbers.
	Reservations
)

var kindNames = [...]string{Resolve: "resolve", Robots: "robots", Page: "page", Reservations: "reservations"}

// String returns the name of k, such as "page".
func (k Kind) String() string { return kindNames[k] }

// Task is a request to send now.
type Task struct {
	Kind   Kind
	Host   uint32 // number of the host
	Rules  uint32 // number of the origin whose robots.txt or tdmrep.json is requested, or applies to the page
	Origin string // scheme, host and port as in "https://example.org"
	Path   string // path from the "/" on, with the query
	Depth  int    // of a page: links from a seed
	Hops   int    // number of redirects so far
	// Address is the IP address to connect to, from the Outcome of Resolve; "" for Resolve.
	Address string `json:",omitempty"`
	Via     uint64 `json:",omitempty"` // of a page: Place of the first page that links to it; 0 for a seed
	Words   uint32 `json:",omitempty"` // of a page: Words of the first link to it
}

// Outcome is the result of a task.
type Outcome struct {
	Host uint32
	Took time.Duration // from the first byte sent to the last one received

	// Failure indicates that there was no complete response.
	Failure bool
	// Offline indicates, with Failure, that the host is not to blame: there is no network. The
	// request is repeated after Config.Retry, and the failure does not count.
	Offline bool `json:",omitempty"`
	// Busy indicates a response that requires a delay: status 429 or 503.
	Busy bool
	// RetryAfter is the delay in such a response; 0 if it states none.
	RetryAfter time.Duration

	Address string // for Resolve: the address of the host, "" if it has none

	// CrawlDelay is, for Robots, the delay that the file states; 0 for none.
	CrawlDelay time.Duration
	// Unavailable indicates a robots.txt with a server error (status 5xx): nothing may be fetched
	// from the host now.
	Unavailable bool
	// Redirect is, for Robots, the URL to request next, if the response is a redirect.
	Redirect Link

	Bytes int64  // for Page: decoded bytes of the page
	Clean int64  // for Page: bytes of new text in a wanted language
	Lang  uint8  `json:",omitempty"` // for Page: language of the text, the number in Config.Shares from 1; 0 for other languages
	Links []Link // for Page, and the sitemaps of Robots
	// Redirected indicates, for Page, that the link leads to the same page at another URL, which is
	// as far from the seeds as this one.
	Redirected bool `json:",omitempty"`
	// Match is, for Page, 1 if the page contains a word of Task.Words, -1 if it contains none, and 0 if this
	// was not tested.
	Match int8 `json:",omitempty"`
	// Place is the caller's position of the task. Tasks for its links have it as Via.
	Place uint64 `json:",omitempty"`
}

// Link is a URL in a page.
type Link struct {
	Origin string
	Path   string
	// Promise is the probability that the URL has wanted text, judged by the link itself: its
	// block, words and language. It is .5 without evidence.
	Promise float32
	// Words identifies words of the text of a link to another site, for Task.Words; 0 for none.
	Words uint32 `json:",omitempty"`
	// List indicates a list of URLs, such as a sitemap or a feed. It is as far from the seeds as the
	// page that links to it.
	List bool `json:",omitempty"`
	// Modified is the time of the last change of the page in a sitemap or a feed, in Unix time; 0 if it is
	// not stated.
	Modified int64 `json:",omitempty"`
	// Depth is the depth of a link that [Scheduler.Add] adds: 0 for a seed. [Fetched] marks a URL
	// that was fetched before and is only known.
	Depth uint8 `json:",omitempty"`
}

// Fetched is the Depth of a URL that was fetched by another process.
const Fetched = 255

// Config configures a [Scheduler].
type Config struct {
	Policy Policy
	// Shares holds the target shares of text by language, as positive numbers in any unit. Default:
	// all text has the same weight.
	Shares []float64 `json:",omitempty"`

	// The delay between two requests to a host is Factor times the duration of the last request, at
	// least Delay and at most MaxDelay, but never less than its Crawl-delay. Defaults: 5 s, 1 min
	// and 5.
	Delay, MaxDelay time.Duration
	Factor          float64
	// AddressDelay is the delay between two requests to an address. Default: 1 s.
	AddressDelay time.Duration
	// MaxCrawlDelay is the longest Crawl-delay of hosts that are visited. Default: 1 h.
	MaxCrawlDelay time.Duration
	// Retry is the first delay after a failure, or after a busy response without Retry-After. It
	// doubles each time up to MaxRetry, also if a busy host repeats a shorter delay. After Failures
	// consecutive failures, or eight busy responses, a host is given up. Defaults: 1 min, 24 h and
	// 6.
	Retry, MaxRetry time.Duration
	Failures        int // at most 255
	// Reservations requests the tdmrep.json of each scheme and port, if its robots.txt allows that.
	Reservations bool `json:",omitempty"`
	// RobotsAge is the age at which robots.txt is fetched again. Default: 24 h.
	RobotsAge time.Duration

	MaxDepth     int // most links from a seed, at most 200; default 50
	MaxHostQueue int // most queued URLs of a host; default 100,000
	MaxSiteHosts int // most hosts of a registered domain; default 1000
	// MaxHostPages is the most pages of a host. Default: no limit.
	MaxHostPages int64 `json:",omitempty"`
	// Front is the number of hosts with queued URLs below which new URLs are added. Default:
	// 10,000.
	Front int
}

// Allowed reports whether a fetched robots.txt, given by its number, allows a path.
type Allowed func(rules uint32, path []byte) bool

// Default is the configuration for the web.
var Default = Config{
	Delay: 5 * time.Second, MaxDelay: time.Minute, Factor: 5,
	AddressDelay:  time.Second,
	MaxCrawlDelay: time.Hour,
	Retry:         time.Minute, MaxRetry: 24 * time.Hour, Failures: 6,
	RobotsAge: 24 * time.Hour,
	MaxDepth:  50, MaxHostQueue: 100_000, MaxSiteHosts: 1000, Front: 10_000,
	Policy: BestFirst,
}
