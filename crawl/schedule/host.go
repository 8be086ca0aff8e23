package schedule

import "time"

// state is where a host stands.
type state uint8

const (
	idle    state = iota // no address waits
	ready                // in the heap of ready hosts
	parked               // ready, behind another host of its address
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

// Host is what a scheduler knows of a host.
type Host struct {
	Origin  string
	Pages   int64 // that were fetched
	Bytes   int64 // decoded, of the pages
	Clean   int64 // of their text that is new and in a wanted language
	Denied  int64 // URLs that robots.txt forbids
	Refused int64 // URLs that found no room or lay too deep
	Queued  int64 // URLs that wait
	Depth   int   // links between hosts from a seed's
	Head    uint8 // score of the URL that comes next
	Gone    Gone

	// Linked sums, over the links of other hosts to this one, the yield of the
	// linking host and what the link promises.
	Linked struct {
		N       int64
		Yield   float64
		Promise float64
	}

	Failed int64 // pages that could not be fetched

	number uint32
	at     int // place in its heap
	hostState
}

// hostState is what else a scheduler has to know of a host to go on.
type hostState struct {
	State state
	Value float64 // by which ready and low hosts are ordered
	Next  time.Duration
	Need  Kind   // what it is asked for next
	Taken []byte // the item of the page that is being fetched
	Again [][]byte
	Tried int64 // pages of the crawl when its yield fell below the floor

	Address         uint32 // its number; 0 is none yet
	CrawlDelay, Gap time.Duration
	HasRobots       bool
	RobotsAt        time.Duration // when robots.txt was asked for
	GoodAt          time.Duration // when it was last had
	Failures        int           // in a row
	Busies          int           // in a row
}

// Yield returns the share of the bytes of a host that was clean text.
func (h *Host) Yield() float64 {
	if h.Bytes == 0 {
		return 0
	}
	return float64(h.Clean) / float64(h.Bytes)
}

// address is an IP address, which hosts share.
type address struct {
	name   string
	number uint32
	busy   bool
	asleep bool // in the heap of addresses
	next   time.Duration
	at     int // place in that heap
	parked hostHeap
}
