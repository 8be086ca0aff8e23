package schedule

import (
	"iter"
	"math"
	"strings"
	"time"

	"chaffinch/crawl/frontier"
)

// state is where a host stands.
type state uint8

const (
	idle    state = iota // nothing waits
	ready                // its time has come
	waiting              // for its time
	busy                 // a request runs
	low                  // its yield is below the floor
	gone                 // given up
)

// active reports whether a host will be asked again without something new.
func (s state) active() bool { return s != idle && s != low && s != gone }

// Gone is why a host was given up.
type Gone uint8

// The reasons.
const (
	NotGone   Gone = iota
	Failing        // too many failures in a row
	SlowDelay      // its Crawl-delay is longer than allowed
)

// Host is what a scheduler knows of a host: of a name, whatever the scheme and the
// port. It is asked one thing at a time.
type Host struct {
	Name    string // such as "example.org"
	Pages   int64  // that were fetched
	Bytes   int64  // decoded, of the pages
	Clean   int64  // of their text that is new and in a wanted language
	Denied  int32  // URLs that robots.txt forbids
	Refused int32  // URLs that found no room, lay too deep, or were left when it was given up
	Failed  int32  // pages that could not be fetched
	Queued  int32  // URLs that wait
	Depth   int32  // links between hosts from a seed's
	Head    uint8  // score of the URL that comes next
	Lang    uint8  // of most of its pages, and before them of the host that was the first to link to it; 0 for none of Config.Shares
	Votes   uint8  // pages that speak for it
	Gone    Gone

	// Linked sums, over the links of other hosts to this one, the yield of the
	// linking host and what the link promises.
	Linked struct {
		N       int64
		Yield   float64
		Promise float64
	}

	first  *Origin // of its origins
	number uint32
	at     int32 // place in its heap
	hostState
}

// hostState is what else a scheduler has to know of a host to go on. Millions of hosts
// are known: the fields are in an order that leaves no gaps.
type hostState struct {
	Value     float64 // by which ready and low hosts are ordered
	Next      time.Duration
	Tried     int64         // pages of the crawl when its yield fell below the floor
	AddressAt time.Duration // when its address was asked for
	Gap       time.Duration
	Address   uint32 // number of its address; 0 is none yet
	From      uint32 // number of the origin that comes next, or is asked
	Failures  int16  // to find its address, in a row
	Busies    int16  // in a row
	State     state
	Asked     Kind // what it is asked for while it is busy
	OnErrand  bool // while it is busy: the first of its errands runs

	fresh bool // it has got URLs in this flush
}

// Origin is what robots.txt holds for: a scheme, a host and a port.
type Origin struct {
	Name   string // such as "https://example.org"
	Number uint32

	Failures  uint8 // in a row
	HasRobots bool
	Pending   bool // its robots.txt was redirected to another host
	Gone      Gone

	Taken []byte   // the page that comes next or is fetched
	Again [][]byte // pages that are asked for again; Host of such an item counts its busy answers

	CrawlDelay time.Duration
	RobotsAt   time.Duration // when robots.txt was asked for
	GoodAt     time.Duration // when it was last had

	host *Host
	next *Origin // of the same host
}

// errand is a request for a robots.txt that was redirected.
type errand struct {
	For    uint32 // number of the origin whose robots.txt it is
	Origin string // where to ask
	Path   string
	Hops   int
}

// maxOrigins is the number of schemes and ports of a host that count.
const maxOrigins = 8

// HostName returns the name in an origin: what stands between scheme and port.
func HostName(origin string) string {
	_, name, _ := strings.Cut(origin, "://")
	if end := strings.IndexByte(name, ']'); end >= 0 { // an IPv6 address
		return name[:end+1]
	}
	name, _, _ = strings.Cut(name, ":")
	return name
}

// Yield returns the share of the bytes of a host that was clean text.
func (h *Host) Yield() float64 { return Yield(h.Clean, h.Bytes) }

// speaks counts the language of a page: the one that most pages have stays (Boyer and
// Moore's vote).
func (h *Host) speaks(lang uint8) {
	switch {
	case h.Lang == lang:
		h.Votes = min(h.Votes, math.MaxUint8-1) + 1
	case h.Votes == 0:
		h.Lang, h.Votes = lang, 1
	default:
		h.Votes--
	}
}

// Origins are those of the host, in the order in which they were found.
func (h *Host) Origins() iter.Seq[*Origin] {
	return func(yield func(*Origin) bool) {
		for o := h.first; o != nil && yield(o); o = o.next {
		}
	}
}

// has gives a host one more origin.
func (h *Host) has(o *Origin) {
	o.host = h
	if h.first == nil {
		h.first = o
		h.Name = HostName(o.Name) // one string for both
		return
	}
	last := h.first
	for last.next != nil {
		last = last.next
	}
	last.next = o
}

// crawlDelay returns the longest delay that the robots.txt files of a host ask for.
func (h *Host) crawlDelay() (d time.Duration) {
	for o := range h.Origins() {
		d = max(d, o.CrawlDelay)
	}
	return d
}

// fetches reports whether a page of an origin is being fetched.
func (h *Host) fetches(o *Origin) bool {
	return h.State == busy && h.Asked == Page && h.From == o.Number
}

// fails counts a failure.
func (o *Origin) fails() { o.Failures = min(o.Failures, math.MaxUint8-1) + 1 }

// waits reports whether an origin has pages to fetch.
func (o *Origin) waits(queue *frontier.Queue) bool {
	return o.Gone == NotGone && !o.Pending && (o.Taken != nil || len(o.Again) > 0 || queue.Head(o.Number) > 0)
}

// address is an IP address, which hosts share. Which of its hosts comes next depends
// on their values alone, never on when somebody asked for a task.
type address struct {
	name   string
	number uint32
	busy   bool
	next   time.Duration
	hosts  hostHeap // the ready ones, by value
	in     place
	at     int // place in its heap
}

// place is the heap that an address is in.
type place uint8

const (
	nowhere  place = iota
	sleeping       // until its time
	open           // its best host may be asked
)
