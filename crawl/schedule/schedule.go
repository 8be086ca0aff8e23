// Package schedule decides what a crawl fetches, and when.
//
// A [Scheduler] is a function of its state and the next event, and of nothing
// else: it reads no clock, opens no connection and starts no goroutine. So a crawl
// of the web, a simulated one and the replay of a journal run the same code. The
// events are its methods: [Scheduler.Add], [Scheduler.Take] that returns a task,
// [Scheduler.Done], [Scheduler.Lost] and [Scheduler.Save]; each is given the time.
//
// Order and stopping follow the yield of a host, the share of the bytes it sends
// that ends as new clean text in a wanted language (Suchomel and Pomikálek,
// "Efficient Web Crawling for Large Text Corpora", 2012, section 2); see [Policy].
//
// Manners: one request at a time for a host, whatever the scheme and the port, and
// for an address, a gap from the end of a response to the next request, robots.txt
// of each scheme and port before its first page and again after a day (RFC 9309),
// delays that errors never shorten. A robots.txt that is redirected is asked for at
// the other host in its turn.
//
// Unstable: this package may change in any release.
package schedule

import "time"

// Kind is what a task asks for.
type Kind uint8

// The kinds, in the order in which a host gets them.
const (
	Resolve Kind = iota // the address of a host
	Robots              // a robots.txt
	Page                // one of its pages
)

var kindNames = [...]string{Resolve: "resolve", Robots: "robots", Page: "page"}

// String returns the name of k, such as "page".
func (k Kind) String() string { return kindNames[k] }

// Task is what is to be done now.
type Task struct {
	Kind   Kind
	Host   uint32 // number of the host
	Rules  uint32 // number of the robots.txt: the one asked for, or that of a page
	Origin string // scheme, host and port as in "https://example.org"
	Path   string // from the "/" on, with the query
	Depth  int    // of a page: links from a seed
	Hops   int    // of a robots.txt: redirects that led there
	// Address is the IP address to be asked, as Outcome has it; "" of Resolve.
	Address string `json:",omitempty"`
	Via     uint64 `json:",omitempty"` // of a page: the Place of the page that was the first to name it, 0 of a seed
}

// Outcome is what came of a task.
type Outcome struct {
	Host uint32
	Took time.Duration // from the first byte sent to the last one received

	// Failure says why there was no answer: no address, no connection, no end.
	Failure bool
	// Busy is an answer that asks to come later: status 429 or 503.
	Busy bool
	// RetryAfter is what such an answer asks for, 0 if it names no time.
	RetryAfter time.Duration

	Address string // of Resolve: the address of the host, "" if it has none

	// Of Robots: the delay that the file asks for; 0 if it names none.
	CrawlDelay time.Duration
	// Unavailable is a robots.txt that could not be had for a fault of the server
	// (status 5xx): nothing of the host may be fetched now.
	Unavailable bool
	// Redirect is where the answer to Robots leads: that is the next thing to ask.
	Redirect Link

	Bytes int64  // of Page: decoded bytes of the page
	Clean int64  // of Page: bytes of its text that is new and in a wanted language
	Lang  uint8  `json:",omitempty"` // of Page: that of its text, the number in Config.Shares from 1 on; 0 for none of them
	Links []Link // of Page, and the sitemaps of Robots
	// Place is where the caller has noted the task: those that its links become have it
	// as Via.
	Place uint64 `json:",omitempty"`
}

// Link is an address that a page names.
type Link struct {
	Origin string
	Path   string
	// Promise is how likely the address has text that is wanted, as far as the link
	// itself says: its block, words, language. 0 to 1; what says nothing is .5.
	Promise float32
}

// Config sets the manners and limits of a scheduler.
type Config struct {
	Policy Policy
	// Shares are those that the languages are to have of the text, as any positive
	// numbers; nil if all text counts the same.
	Shares []float64 `json:",omitempty"`

	// The gap between two requests to a host is Factor times what the last one
	// took, at least Delay and at most MaxDelay, and never less than its Crawl-delay.
	Delay, MaxDelay time.Duration
	Factor          float64
	// AddressDelay is the gap between two requests to an address.
	AddressDelay time.Duration
	// MaxCrawlDelay is the longest Crawl-delay with which a host is visited.
	MaxCrawlDelay time.Duration
	// Retry is the first wait after a failure or a busy answer without a time of
	// its own; it doubles each time up to MaxRetry, also beyond a time that a busy
	// host names again and again. After Failures in a row, or eight busy answers, a
	// host is given up.
	Retry, MaxRetry time.Duration
	Failures        int // at most 255
	// RobotsAge is the time after which robots.txt is fetched again.
	RobotsAge time.Duration

	MaxDepth     int // links from a seed
	MaxHostQueue int // addresses of one host that wait
	MaxSiteHosts int // hosts of one registered domain
	// Front is the number of hosts with waiting addresses below which new addresses
	// are let in.
	Front int
}

// Default is for the web as it is.
var Default = Config{
	Delay: 5 * time.Second, MaxDelay: time.Minute, Factor: 5,
	AddressDelay:  time.Second,
	MaxCrawlDelay: time.Hour,
	Retry:         time.Minute, MaxRetry: 24 * time.Hour, Failures: 6,
	RobotsAge: 24 * time.Hour,
	MaxDepth:  50, MaxHostQueue: 100_000, MaxSiteHosts: 1000, Front: 10_000,
	Policy: BestFirst,
}
