package schedule

import (
	"iter"
	"math"
	"strings"
	"time"

	"chaffinch/crawl/frontier"
)

// state is the state of a host.
type state uint8

const (
	idle    state = iota // nothing to request
	ready                // may be requested now
	waiting              // waits for its time
	busy                 // a request runs
	low                  // its yield is below the floor
	gone                 // given up
)

// active reports whether a host will be requested again without further events.
func (s state) active() bool { return s != idle && s != low && s != gone }

// Gone is the reason why a host was given up.
type Gone uint8

// Reasons why a host is given up.
const (
	NotGone   Gone = iota
	Failing        // too many failures in a row
	SlowDelay      // its Crawl-delay is longer than allowed
	Moved          // another process sends its requests
)

// Host holds the state of a host: a name with all its schemes and ports. There is at most one
// request at a time. It is a record of an [offheap.Table], as are its origins and its site.
type Host struct {
	Name    string // such as "example.org"
	Pages   int64  // fetched pages
	Bytes   int64  // decoded bytes of the pages
	Clean   int64  // bytes of new text in a wanted language
	Denied  int32  // URLs that robots.txt disallows
	Refused int32  // URLs beyond the limits of queue or depth, or dropped when the host was given up
	Failed  int32  // pages that could not be fetched
	Queued  int32  // URLs in the queue
	Depth   int32  // links between hosts from a seed
	Head    uint8  // score of the next URL
	Lang    uint8  // language of most of its pages, at first of the first host that links to it; number in Config.Shares from 1, or 0
	Votes   uint8  // votes for Lang
	Gone    Gone

	// Linked sums the yields of the linking hosts and the promises of their links.
	Linked struct {
		Yield   float64
		Promise float64
		N       int8
	}

	first  *Origin // first of its origins
	site   *site
	number uint32
	at     int32 // index in its heap
	hostState
}

// hostState is the rest of the state of a host. There may be millions of hosts: the order of the
// fields leaves no gaps.
type hostState struct {
	Value     float64 // order of ready and low hosts
	Next      time.Duration
	Tried     int64         // pages of the crawl when its yield fell below the floor
	AddressAt time.Duration // time of the last lookup of its address
	Gap       time.Duration
	Address   uint32 // number of its address; 0 if unknown
	From      uint32 // number of the origin of the next or the running request
	Failures  int16  // consecutive failures of address lookups
	Busies    int16  // consecutive busy responses
	State     state
	Asked     Kind // kind of the running request, if State is busy
	OnErrand  bool // the running request is the first of its errands

	fresh bool // it has new URLs in the current flush
}

// Origin is the scope of a robots.txt: a scheme, a host and a port.
type Origin struct {
	Number uint32

	form      uint8 // of its name
	Failures  uint8 // consecutive failures
	HasRobots bool
	// ReservationsTried is the number of requests for its tdmrep.json. HasReservations indicates that no
	// more are needed.
	ReservationsTried uint8
	HasReservations   bool
	Pending           bool // its robots.txt was redirected to another host
	Gone              Gone

	taken *packet // the next page, or the page being fetched: an item
	again *packet // pages to retry: items; their field Host counts busy responses

	CrawlDelay time.Duration
	RobotsAt   time.Duration // time of the last request for robots.txt
	GoodAt     time.Duration // time of the last successful one

	host *Host
	next *Origin // next origin of the host
}

// errand is a request for a robots.txt that was redirected.
type errand struct {
	For    uint32 // number of the origin of the robots.txt
	Origin string // where to request it
	Path   string
	Hops   int
}

// maxOrigins is the most origins of a host.
const maxOrigins = 8

// HostName returns the host of an origin, without scheme and port.
func HostName(origin string) string {
	_, name, _ := strings.Cut(origin, "://")
	if end := strings.IndexByte(name, ']'); end >= 0 { // an IPv6 address
		return name[:end+1]
	}
	name, _, _ = strings.Cut(name, ":")
	return name
}

// Due reports whether a request to the host runs, or will start by a time unless it waits for other hosts.
func (h *Host) Due(by time.Duration) bool { return h.State == busy || h.State.active() && h.Next <= by }

// Yield returns the share of the bytes of a host that was clean text.
func (h *Host) Yield() float64 { return Yield(h.Clean, h.Bytes) }

// countLang counts the language of a page. Lang converges to the majority (Boyer-Moore majority vote).
func (h *Host) countLang(lang uint8) {
	switch {
	case h.Lang == lang:
		h.Votes = min(h.Votes, math.MaxUint8-1) + 1
	case h.Votes == 0:
		h.Lang, h.Votes = lang, 1
	default:
		h.Votes--
	}
}

// Origins yields the origins of the host in the order of discovery.
func (h *Host) Origins() iter.Seq[*Origin] {
	return func(yield func(*Origin) bool) {
		for o := h.first; o != nil && yield(o); o = o.next {
		}
	}
}

// addOrigin adds an origin to a host.
func (h *Host) addOrigin(o *Origin) {
	o.host = h
	if h.first == nil {
		h.first = o
		return
	}
	last := h.first
	for last.next != nil {
		last = last.next
	}
	last.next = o
}

// crawlDelay returns the longest delay in the robots.txt files of a host.
func (h *Host) crawlDelay() (d time.Duration) {
	for o := range h.Origins() {
		d = max(d, o.CrawlDelay)
	}
	return d
}

// isFetching reports whether a page of an origin is being fetched.
func (h *Host) isFetching(o *Origin) bool {
	return h.State == busy && h.Asked == Page && h.From == o.Number
}

// countFailure counts a failure.
func (o *Origin) countFailure() { o.Failures = min(o.Failures, math.MaxUint8-1) + 1 }

// hasPages reports whether an origin has pages to fetch.
func (o *Origin) hasPages(queue *frontier.Queue) bool {
	return o.Gone == NotGone && !o.Pending && (o.taken != nil || o.again != nil || queue.Head(o.Number) > 0)
}

// address is an IP address, shared by hosts. The choice among its hosts depends only on their
// values, never on when Take is called.
type address struct {
	name   string
	next   time.Duration
	best   *Host // ready host with the highest value; nil if there is none
	number uint32
	at     int32 // index in its heap
	busy   bool
	heap   heapKind
}

// heapKind is the heap that contains an address.
type heapKind uint8

const (
	noHeap   heapKind = iota
	sleeping          // until its next request is allowed
	open              // its best host may be requested
)
