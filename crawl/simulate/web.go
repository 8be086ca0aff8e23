// Package simulate crawls a generated web without sockets and in virtual time, with the scheduler
// of a real crawl. It measures policies and tests politeness. [NewWeb] generates a web; [Run]
// crawls it.
//
// Unstable: this package may change in any release.
package simulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"chaffinch/crawl/schedule"
)

// Kind is a kind of host.
type Kind uint8

// Kinds of hosts. Wanted text is about 5 percent of the bytes of a page of a good host, 1 percent
// of a thin one and none of a worthless one. A trap has infinitely many URLs. So has a spam host,
// whose pages have as much text as a good host, all of it stuffed with keywords.
const (
	Good Kind = iota
	Thin
	Worthless
	Trap
	Spam
	kinds
)

var kindNames = [...]string{"good", "thin", "worthless", "trap", "spam"}

// String returns the name of k, such as "good".
func (k Kind) String() string { return kindNames[k] }

// WebConfig configures a web.
type WebConfig struct {
	Seed  uint64
	Hosts int
	// Spam is the number of these hosts that are spam hosts. The others, their pages and the
	// links between them are the same as in a web without spam hosts.
	Spam int
	// SpamKinds holds the kinds of spam hosts, in equal parts. Then only good hosts sell links. Default:
	// spam hosts are stuffed with keywords, and all hosts link to them.
	SpamKinds []SpamKind
	// Shares holds the shares of the other hosts by kind.
	Shares [Spam]float64
	// Topics holds texts by topic. All text of a host other than a spam host is about one topic:
	// each page with text has one of these texts. Filter rules judge them; the size of the text
	// of a page does not depend on them. Default: no texts.
	Topics [][]Text
	// Local is the share of links to other hosts that lead to a host of the same kind; the rest
	// lead to any host.
	Local float64
	// Links is the mean number of links of a page. External of 10 links lead to other hosts.
	Links, External int
	// Second is the share of hosts whose text is in the second language, if languages have shares.
	// The text of the others is in the first language.
	Second float64
}

// DefaultWeb is a web of 20,000 hosts.
var DefaultWeb = WebConfig{
	Seed: 1, Hosts: 20_000, Local: .6, Links: 12, External: 3,
	Shares: [...]float64{Good: .30, Thin: .30, Worthless: .32, Trap: .08},
}

// Web is a simulated web. Hosts and pages are functions of the seed and their numbers; pages are
// not stored.
type Web struct {
	cfg    WebConfig
	hosts  []webHost
	byKind [kinds][]uint32
	// farm and expired hold spam hosts of these kinds.
	farm, expired []uint32
}

type webHost struct {
	kind    Kind
	yield   float64 // mean of its pages
	pages   int     // number of pages
	bytes   float64 // mean size of a page
	latency time.Duration
	lang    uint8
	match   float64 // see matches
}

// NewWeb returns a web.
func NewWeb(cfg WebConfig) *Web {
	w := &Web{cfg: cfg, hosts: make([]webHost, cfg.Hosts)}
	rng := rand.New(rand.NewPCG(cfg.Seed, 0))
	for i := range w.hosts {
		h := &w.hosts[i]
		at := rng.Float64()
		for h.kind = 0; h.kind < Trap && at >= cfg.Shares[h.kind]; h.kind++ {
			at -= cfg.Shares[h.kind]
		}
		if i >= cfg.Hosts-cfg.Spam {
			h.kind = Spam
		}
		// Measured on real pages: a median of 39 to 251 kB per data set, and gold text of 1.5 to 6
		// percent of the bytes.
		switch h.kind {
		case Good, Spam:
			h.yield = min(.05*math.Exp(.6*rng.NormFloat64()), .4)
		case Thin:
			h.yield = .008 * math.Exp(.6*rng.NormFloat64())
		}
		h.bytes = 80_000 * math.Exp(.6*rng.NormFloat64())
		h.pages = int(min(20*math.Pow(1-rng.Float64(), -1/.8), 200_000)) // a long tail
		if h.kind == Trap || h.kind == Spam {
			h.pages = math.MaxInt32
		}
		h.latency = time.Duration(float64(300*time.Millisecond) * math.Exp(.7*rng.NormFloat64()))
		if h.lang = 1; cfg.Second > 0 && rng.Float64() < cfg.Second {
			h.lang = 2
		}
		h.match = w.match(uint32(i))
		w.byKind[h.kind] = append(w.byKind[h.kind], uint32(i))
		if h.kind != Spam || len(cfg.SpamKinds) == 0 {
			continue
		}
		switch w.spamKind(uint32(i)) {
		case Farm:
			w.farm = append(w.farm, uint32(i))
		case Expired:
			w.expired = append(w.expired, uint32(i))
		}
	}
	return w
}

func origin(host uint32) string { return "http://h" + strconv.Itoa(int(host)) + ".example" }

// hostOf returns the number of the host in an origin or a host name.
func hostOf(origin string) uint32 {
	name, _ := strings.CutSuffix(strings.TrimPrefix(strings.TrimPrefix(origin, "http://"), "h"), ".example")
	n, err := strconv.Atoi(name)
	if err != nil {
		panic(fmt.Sprintf("simulate: %q is not a host of a simulated web", origin))
	}
	return uint32(n)
}

// Kind returns the kind of a host.
func (w *Web) Kind(origin string) Kind { return w.hosts[hostOf(origin)].kind }

// Yield returns the mean yield of the pages of the host called name.
func (w *Web) Yield(name string) float64 { return w.hosts[hostOf(name)].yield }

// Seeds returns links to n good hosts.
func (w *Web) Seeds(n int) (links []schedule.Link) {
	for _, h := range w.byKind[Good][:min(n, len(w.byKind[Good]))] {
		links = append(links, schedule.Link{Origin: origin(h), Path: "/", Promise: .5})
	}
	return links
}

// Page sets o to the outcome of fetching a page.
func (w *Web) Page(host uint32, path string, o *schedule.Outcome) {
	number, _ := strconv.Atoi(path[1:]) // "/" is page 0
	h := &w.hosts[host]
	rng := rand.New(rand.NewPCG(w.cfg.Seed<<32|uint64(host), uint64(number)))
	bytes := h.bytes * math.Exp(.4*rng.NormFloat64())
	o.Bytes = int64(bytes)
	if h.yield > 0 && rng.Float64() < .8 { // a fifth of the pages are lists
		o.Clean = int64(min(bytes*h.yield/.8*math.Exp(float64(.5*rng.NormFloat64())-.125), bytes/2))
	}
	if len(w.cfg.SpamKinds) > 0 && h.kind == Spam {
		o.Clean = int64(float64(o.Clean) * spamPasses[w.spamKind(host)])
	}
	if o.Clean > 0 {
		o.Lang = h.lang
	}
	o.Took = h.latency
	o.Links = o.Links[:0]
	words := w.rand(host, path, 5*textStream)
	for range w.cfg.Links/2 + rng.IntN(w.cfg.Links) {
		if rng.IntN(10) >= w.cfg.External {
			o.Links = append(o.Links, schedule.Link{Origin: origin(host), Path: pagePath(rng.IntN(h.pages)), Promise: .5})
			continue
		}
		list := w.byKind[h.kind]
		to := uint32(rng.IntN(w.cfg.Hosts - w.cfg.Spam))
		if rng.Float64() < w.cfg.Local {
			to = list[zipf(rng, len(list))]
		}
		path := "/"
		if rng.IntN(2) == 0 {
			path = pagePath(rng.IntN(w.hosts[to].pages))
		}
		match := w.hosts[to].match
		if h.kind == Spam {
			match = 1
		}
		o.Links = append(o.Links, schedule.Link{Origin: origin(to), Path: path, Promise: .5, Words: linkWords(words, match)})
	}
	w.addSpamLinks(host, path, o)
}

// addSpamLinks adds links to spam hosts to a page of another host: as many to each spam host as to
// each of the others from pages of other kinds.
func (w *Web) addSpamLinks(host uint32, path string, o *schedule.Outcome) {
	spam := w.byKind[Spam]
	if len(spam) > 0 && len(w.cfg.SpamKinds) > 0 {
		w.addKindLinks(host, path, o)
		return
	}
	if len(spam) == 0 || w.hosts[host].kind == Spam {
		return
	}
	rng := w.rand(host, path, 3*textStream)
	odds := (1 - w.cfg.Local) * float64(w.cfg.External) / 10 * float64(len(spam)) / float64(w.cfg.Hosts-w.cfg.Spam)
	for range o.Links {
		if rng.Float64() < odds {
			o.Links = append(o.Links, schedule.Link{Origin: origin(pick(rng, spam)), Path: "/", Promise: .5})
		}
	}
}

// zipf returns a number below n, with a higher probability of small ones.
func zipf(rng *rand.Rand, n int) int {
	u := rng.Float64()
	return int(math.Exp(u*math.Log(float64(n)+1))) % n
}

func pagePath(number int) string {
	if number == 0 {
		return "/"
	}
	return "/" + strconv.Itoa(number)
}
