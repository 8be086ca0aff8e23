package schedule

import (
	"fmt"
	"math"
	"strings"
)

// Policy determines the order of hosts and URLs, and when a host is paused.
type Policy struct {
	Name, Help string
	// Value orders the hosts that may be requested: the highest value first, equal ones by age.
	Value func(h *Host, t *Totals) float64
	// Pause reports whether a host is paused.
	Pause func(h *Host, t *Totals) bool
	// Resume reports whether a paused host is resumed. Default: paused hosts are never resumed.
	Resume func(h *Host, t *Totals) bool
	// Score orders the URLs of a host, from 1 to 255, the highest score first.
	Score func(l Link, depth int) uint8
}

// MarshalText returns the name of p.
func (p Policy) MarshalText() ([]byte, error) { return []byte(p.Name), nil }

// UnmarshalText sets p to the policy with a name.
func (p *Policy) UnmarshalText(b []byte) (err error) {
	*p, err = PolicyOf(string(b))
	return err
}

// Totals holds the counts of a crawl over all hosts.
type Totals struct {
	Pages, Bytes, Clean int64
	// RecentBytes and RecentClean count the last pages, with decreasing weight of older ones.
	RecentBytes, RecentClean float64
	// Trust and TargetTrust average the logarithms of the trust of sites, and of the sites that they link
	// to, over clean bytes.
	Trust, TargetTrust recentMean
	// Langs holds the bytes of clean text by language, in the order of Config.Shares.
	Langs []int64

	shares []float64
}

const (
	// fullWeightBytes is the amount of text at which the shares of languages have full weight.
	fullWeightBytes = 1 << 20
	// minNeed is the least weight of a language.
	minNeed = .02
)

// langWeight returns the weight of text in a language, from 0 to 1. It falls below 1 if the language
// exceeds its share.
func (t *Totals) langWeight(lang uint8) float64 {
	if lang == 0 || int(lang) > len(t.shares) {
		return 1
	}
	var all, wanted float64
	for i, s := range t.shares {
		all, wanted = all+float64(t.Langs[i]), wanted+s
	}
	share := t.shares[lang-1] / wanted
	has := (float64(t.Langs[lang-1]) + float64(share*fullWeightBytes)) / (all + fullWeightBytes)
	return min(max(math.Pow(share/has, 3), minNeed), 1)
}

// Yield returns the share of clean text in all bytes.
func (t *Totals) Yield() float64 { return Yield(t.Clean, t.Bytes) }

// Yield returns the share of clean text in bytes; 0 if both are 0.
func Yield(clean, bytes int64) float64 { return float64(clean) / float64(max(bytes, 1)) }

// Recent returns the yield of about the last 2,000 pages.
func (t *Totals) Recent() float64 {
	if t.RecentBytes == 0 {
		return 0
	}
	return t.RecentClean / t.RecentBytes
}

// recentPages is the number of pages that Totals.Recent covers.
const recentPages = 2000

func (t *Totals) add(bytes, clean int64) {
	t.Pages++
	t.Bytes += bytes
	t.Clean += clean
	const keep = 1 - 1./recentPages
	t.RecentBytes = float64(keep*t.RecentBytes) + float64(bytes)
	t.RecentClean = float64(keep*t.RecentClean) + float64(clean)
}

// Policies holds all policies, the default first.
var Policies = []Policy{BestFirst, BreadthFirst, Site, spiderLing("strict", .01), spiderLing("normal", .005), spiderLing("permissive", .002)}

// PolicyOf returns the policy called name.
func PolicyOf(name string) (Policy, error) {
	var names []string
	for _, p := range Policies {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Policy{}, fmt.Errorf("crawl policy %q, wanted one of %s", name, strings.Join(names, ", "))
}

const (
	// priorBytes is the number of bytes of a host that have the same weight as the prior expectation:
	// two pages, since the pages of a host resemble each other more than hosts do.
	priorBytes = 150_000
	// linkTrust is the weight of the yields of linking hosts in the prior, against the yield of the
	// crawl.
	linkTrust = .6
	// After floorPages and floorBytes, a host is paused if its expected yield is below floorShare
	// of the recent yield of the crawl.
	floorPages = 8
	floorBytes = 256 << 10
	floorShare = .35
	// startYield is the expected yield at the start of a crawl.
	startYield = .02
	// testFirst is the score of a link whose words test a site.
	testFirst = 64
)

// BestFirst requests the host whose next page has the highest expected yield. It pauses hosts far
// below the recent yield of the crawl, until that has fallen as well.
var BestFirst = Policy{
	Name: "best-first", Help: "host with the highest estimated yield first",
	Value: func(h *Host, t *Totals) float64 {
		return weigh(h, t).Value()
	},
	Pause: func(h *Host, t *Totals) bool {
		return h.Pages >= floorPages && h.Bytes >= floorBytes && expected(h, t) < floorShare*t.Recent()
	},
	Resume: func(h *Host, t *Totals) bool {
		return expected(h, t) >= floorShare*t.Recent() || t.Pages >= 4*h.Tried
	},
	Score: func(l Link, depth int) uint8 {
		// Promising links and tests of a site first, then links near a seed, then short paths.
		length := min(len(l.Path)/8, 31) // 0..31
		x := float64(160*float64(l.Promise)) + 64/float64(depth+1) + 31 - float64(length)
		if l.Words != 0 {
			x += testFirst
		}
		return uint8(1 + min(max(x, 0), 254))
	},
}

// longNames holds the weights of names of up to 30, up to 50 and more characters. SpiderLing orders hosts
// by the length of the name against spam (Suchomel, "Better Web Corpora For Corpus Linguistics And NLP",
// 2020).
var longNames = [...]float64{1, .8, .5}

// expected returns the expected yield of a host's next page, from its pages and from a prior by the
// hosts that link to it.
func expected(h *Host, t *Totals) float64 {
	mean := (float64(t.Clean) + startYield*priorBytes) / (float64(t.Bytes) + priorBytes)
	prior := mean
	if n := float64(h.Linked.N); n > 0 {
		prior = linkTrust*h.Linked.Yield/n + float64((1-linkTrust)*mean)
		prior *= .5 + h.Linked.Promise/n
	}
	return Expected(h.Clean, h.Bytes, prior)
}

// Expected returns the expected yield of the next page of a host with clean bytes of text in bytes.
// prior is the expectation without these pages.
func Expected(clean, bytes int64, prior float64) float64 {
	return (float64(clean) + float64(prior*priorBytes)) / (float64(bytes) + priorBytes)
}

// BreadthFirst requests hosts in the order of discovery, and pages nearest to the seeds first. It
// is a baseline.
var BreadthFirst = Policy{
	Name: "breadth-first", Help: "pages nearest to the seeds first; a baseline",
	Value: func(h *Host, t *Totals) float64 { return float64(h.Head) },
	Pause: func(h *Host, t *Totals) bool { return false },
	Score: nearestFirst,
}

func nearestFirst(l Link, depth int) uint8 { return uint8(255 - min(depth, 254)) }

// Site visits all pages of a few sites: their lists of URLs first, then the pages in them, then pages
// near a seed. It pauses no host.
var Site = Policy{
	Name: "site", Help: "all pages, sitemaps and feeds first",
	Value: func(h *Host, t *Totals) float64 { return float64(h.Head) },
	Pause: func(h *Host, t *Totals) bool { return false },
	Score: func(l Link, depth int) uint8 {
		if l.List {
			return math.MaxUint8
		}
		return uint8(1 + 3*max(62-depth, 0) + int(64*min(max(l.Promise, 0), 1)))
	},
}

// spiderLing returns the rule of SpiderLing: rounds of up to 20 pages over all hosts, hosts nearest
// to the seeds and with short names first. A host is paused for good if, after 20 pages and 256
// KiB, its yield is below weight × (log10 of its pages - 1).
func spiderLing(name string, weight float64) Policy {
	return Policy{
		Name: "spiderling-" + name, Help: "rule of SpiderLing, " + name + "; a baseline",
		Value: func(h *Host, t *Totals) float64 {
			return float64(-float64(h.Pages/20)*1e6) - float64(class(int(h.Depth), 3, 5, 8, 15, 50)*10+class(len(h.Name), 15, 30, 50))
		},
		Pause: func(h *Host, t *Totals) bool {
			return h.Pages >= 20 && h.Bytes >= 256<<10 && h.Yield() < weight*(math.Log10(float64(h.Pages))-1)
		},
		Score: func(l Link, depth int) uint8 { return uint8(1 + max(0, 253-min(len(l.Path), 253))) },
	}
}

// class returns the number of bounds that n exceeds.
func class(n int, bounds ...int) (k int) {
	for _, b := range bounds {
		if n > b {
			k++
		}
	}
	return k
}
