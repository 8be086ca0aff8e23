package schedule

import (
	"fmt"
	"math"
	"strings"
)

// Policy is the order in which hosts are visited, and when one is left.
type Policy struct {
	Name, Help string
	// Value orders the hosts that can be visited: the highest comes first, the
	// earliest known of equal ones.
	Value func(h *Host, t *Totals) float64
	// Enough reports whether a host is to be left for now.
	Enough func(h *Host, t *Totals) bool
	// Again reports whether a host that was left is worth another visit; nil: never.
	Again func(h *Host, t *Totals) bool
	// Score orders the URLs of a host, from 1 to 255: the highest comes first.
	Score func(l Link, depth int) uint8
}

// MarshalText writes the name of p.
func (p Policy) MarshalText() ([]byte, error) { return []byte(p.Name), nil }

// UnmarshalText reads the name of a policy.
func (p *Policy) UnmarshalText(b []byte) (err error) {
	*p, err = PolicyOf(string(b))
	return err
}

// Totals counts what a crawl has had of all hosts.
type Totals struct {
	Pages, Bytes, Clean int64
	// RecentBytes and RecentClean are those of the last pages, older ones counted less.
	RecentBytes, RecentClean float64
	// Langs has the bytes of clean text by language, in the order of Config.Shares.
	Langs []int64

	shares []float64
}

const (
	// evenBytes is how much text there has to be before the shares of languages count
	// in full.
	evenBytes = 1 << 20
	// leastNeed is what text of a language counts of which there is far too much.
	leastNeed = .02
)

// need returns how much text of a language counts, from 0 to 1: the share that it is to
// have, by the one that it has, for those that have more.
func (t *Totals) need(lang uint8) float64 {
	if lang == 0 || int(lang) > len(t.shares) {
		return 1
	}
	var all, wanted float64
	for i, s := range t.shares {
		all, wanted = all+float64(t.Langs[i]), wanted+s
	}
	share := t.shares[lang-1] / wanted
	has := (float64(t.Langs[lang-1]) + float64(share*evenBytes)) / (all + evenBytes)
	return min(max(math.Pow(share/has, 3), leastNeed), 1)
}

// Yield returns the share of all bytes that was clean text.
func (t *Totals) Yield() float64 { return Yield(t.Clean, t.Bytes) }

// Yield returns the share of bytes that was clean text, 0 of none.
func Yield(clean, bytes int64) float64 { return float64(clean) / float64(max(bytes, 1)) }

// Recent returns the yield of about the last two thousand pages.
func (t *Totals) Recent() float64 {
	if t.RecentBytes == 0 {
		return 0
	}
	return t.RecentClean / t.RecentBytes
}

// recentPages is the number of pages that Totals.Recent looks back on.
const recentPages = 2000

func (t *Totals) add(bytes, clean int64) {
	t.Pages++
	t.Bytes += bytes
	t.Clean += clean
	const keep = 1 - 1./recentPages
	t.RecentBytes = float64(keep*t.RecentBytes) + float64(bytes)
	t.RecentClean = float64(keep*t.RecentClean) + float64(clean)
}

// Policies lists the policies by name, the default first.
var Policies = []Policy{BestFirst, BreadthFirst, spiderLing("strict", .01), spiderLing("normal", .005), spiderLing("permissive", .002)}

// PolicyOf returns the policy of a name.
func PolicyOf(name string) (Policy, error) {
	var names []string
	for _, p := range Policies {
		if p.Name == name {
			return p, nil
		}
		names = append(names, p.Name)
	}
	return Policy{}, fmt.Errorf("no crawl policy %q; there are %s", name, strings.Join(names, ", "))
}

const (
	// trust is how many bytes of a host weigh as much as what was expected of it: two
	// pages, for pages of a host are more alike than hosts are.
	trust = 150_000
	// linkTrust is how much the yield of the linking hosts counts in what is
	// expected of a host, beside that of the whole crawl.
	linkTrust = .6
	// The floor: after floorPages and floorBytes a host is left whose yield lies below
	// floorShare of that of the crawl's last pages.
	floorPages = 8
	floorBytes = 256 << 10
	floorShare = .35
	// startYield is what is expected before anything was seen.
	startYield = .02
)

// BestFirst visits the host first whose next page will, as far as its pages and
// those that link to it tell, have the highest yield; it leaves hosts far below
// what the crawl has elsewhere, until that has fallen as well.
var BestFirst = Policy{
	Name: "best-first", Help: "the host that promises the highest yield first",
	Value: func(h *Host, t *Totals) float64 { return expected(h, t) * t.need(h.Lang) },
	Enough: func(h *Host, t *Totals) bool {
		return h.Pages >= floorPages && h.Bytes >= floorBytes && expected(h, t) < floorShare*t.Recent()
	},
	Again: func(h *Host, t *Totals) bool {
		return expected(h, t) >= floorShare*t.Recent() || t.Pages >= 4*h.Tried
	},
	Score: func(l Link, depth int) uint8 {
		// Promising links first, then those near a seed, then short paths.
		length := min(len(l.Path)/8, 31) // 0..31
		x := float64(160*float64(l.Promise)) + 64/float64(depth+1) + 31 - float64(length)
		return uint8(1 + min(max(x, 0), 254))
	},
}

// expected returns the yield that a host's next page is expected to have: what was
// seen of the host, and before that what is known of the hosts that link to it.
func expected(h *Host, t *Totals) float64 {
	mean := (float64(t.Clean) + startYield*trust) / (float64(t.Bytes) + trust)
	prior := mean
	if n := float64(h.Linked.N); n > 0 {
		prior = linkTrust*h.Linked.Yield/n + float64((1-linkTrust)*mean)
		prior *= .5 + h.Linked.Promise/n
	}
	return Expected(h.Clean, h.Bytes, prior)
}

// Expected returns the yield that the next page of a host is expected to have which
// gave clean text of so many bytes, if prior was expected before that.
func Expected(clean, bytes int64, prior float64) float64 {
	return (float64(clean) + float64(prior*trust)) / (float64(bytes) + trust)
}

// BreadthFirst visits the hosts in the order in which they were found, and takes
// the pages nearest to the seeds first. It is what to compare with.
var BreadthFirst = Policy{
	Name: "breadth-first", Help: "pages nearest to the seeds first; to compare with",
	Value:  func(h *Host, t *Totals) float64 { return float64(h.Head) },
	Enough: func(h *Host, t *Totals) bool { return false },
	Score:  nearestFirst,
}

func nearestFirst(l Link, depth int) uint8 { return uint8(255 - min(depth, 254)) }

// spiderLing is the rule of SpiderLing: rounds of up to 20 pages over all hosts,
// those nearest to the seeds and with short names first; a host is left for good if,
// after 20 pages and 256 KiB, its yield is below weight × (log10 of its pages - 1).
func spiderLing(name string, weight float64) Policy {
	return Policy{
		Name: "spiderling-" + name, Help: "the rule of SpiderLing, " + name + "; to compare with",
		Value: func(h *Host, t *Totals) float64 {
			return float64(-float64(h.Pages/20)*1e6) - float64(class(int(h.Depth), 3, 5, 8, 15, 50)*10+class(len(h.Name), 15, 30, 50))
		},
		Enough: func(h *Host, t *Totals) bool {
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
