// Package epochs divides a crawl among ranks that share a store, without a coordinator.
//
// Hosts belong to one of [Partitions] partitions, by the hash of their registered domain. In an
// epoch, each partition has one owner: only this rank sends requests to its hosts, so that
// politeness is local. At the end of an epoch, each rank publishes one object, its [Bundle]: the
// links that it found and the URLs that it fetched, sorted by partition. Then the ranks agree on a
// [Seal]: the bundles that count, and the owners of the next epoch. The first seal that is published
// is valid. The other ranks read it.
//
// A rank publishes a heartbeat. If its bundle is missing and its heartbeat is older than the lease,
// the seal omits it, and its partitions get other owners. These read the partitions' ranges of all
// earlier bundles. Pages that the missing rank fetched in this epoch do not count and are fetched
// again.
//
// Unstable: this package may change in any release.
package epochs

import (
	"math/bits"
	"slices"

	"chaffinch/page/weburl/registered"

	"github.com/zeebo/xxh3"
)

// Partitions is the number of partitions of all crawls.
const Partitions = 4096

// Partition returns the partition of a host.
func Partition(host string) int { return int(xxh3.HashString(registered.Domain(host)) >> 52) }

// Seal ends an epoch. It is the same for all ranks.
type Seal struct {
	Epoch int `json:"epoch"`
	// Bundles holds the bundles of the epoch by rank. Others are ignored.
	Bundles map[string]Report `json:"bundles"`
	// Quiet is the number of consecutive epochs, up to this one, in which no rank found a new link or
	// had a URL left to fetch.
	Quiet int `json:"quiet"`
	// Pages is the number of pages of the crawl up to this epoch. Limit is the most pages of the
	// crawl, 0 for no limit.
	Pages int64 `json:"pages,omitempty"`
	Limit int64 `json:"limit,omitempty"`
	// Ranks holds the ranks of the next epoch, Owners the index of the owner of each partition in it.
	Ranks  []string `json:"ranks"`
	Owners []int    `json:"owners"`
}

// quietEpochs is the number of quiet epochs after which a crawl is complete.
const quietEpochs = 2

// Done reports whether the crawl is complete.
func (s *Seal) Done() bool { return s.Quiet >= quietEpochs }

// Full reports whether a crawl of at most limit pages has its last page; 0 means no limit.
func (s *Seal) Full(limit int64) bool { return limit > 0 && s.Pages >= limit }

// Share returns the most pages of a rank in the next epoch; ok is false if the crawl has no limit. The
// shares of the ranks add up to the pages that are left. They are proportional to the URLs that the
// ranks have left to fetch. Pages that a rank does not fetch are shared again in the next epoch.
func (s *Seal) Share(rank string) (pages int64, ok bool) {
	if s.Limit == 0 {
		return 0, false
	}
	list := shares(max(s.Limit-s.Pages, 0), s.weights(), s.Epoch)
	if at := slices.Index(s.Ranks, rank); at >= 0 {
		return list[at], true
	}
	return 0, true
}

// weights returns the weight of each rank for Share: 1 without URLs, and the mean of the others if the
// rank is new.
func (s *Seal) weights() []int64 {
	sum, known := int64(0), int64(0)
	for _, rank := range s.Ranks {
		if r, ok := s.Bundles[rank]; ok {
			sum, known = sum+r.Queued, known+1
		}
	}
	var list []int64
	for _, rank := range s.Ranks {
		r, ok := s.Bundles[rank]
		if !ok && known > 0 {
			r.Queued = sum / known
		}
		list = append(list, 1+max(r.Queued, 0))
	}
	return list
}

// shares divides n by weights, which are positive. The rest goes to weights above 1, or to all if there
// are none. It starts at another one each turn, so that each of them has a share at some turn.
func shares(n int64, weights []int64, turn int) []int64 {
	total := uint64(0)
	for _, w := range weights {
		total += uint64(w)
	}
	var list []int64
	rest := n
	for _, w := range weights {
		high, low := bits.Mul64(uint64(n), uint64(w))
		share, _ := bits.Div64(high, low, total)
		list = append(list, int64(share))
		rest -= int64(share)
	}
	var first []int // indexes that get one more
	for i, w := range weights {
		if w > 1 || total == uint64(len(weights)) {
			first = append(first, i)
		}
	}
	for k := range rest {
		list[first[(int64(turn)+k)%int64(len(first))]]++
	}
	return list
}

// Owned returns the partitions that a rank owns in the next epoch.
func (s *Seal) Owned(rank string) (list []int) {
	at := slices.Index(s.Ranks, rank)
	for p, owner := range s.Owners {
		if owner == at && at >= 0 {
			list = append(list, p)
		}
	}
	return list
}

// Split returns the partitions that a rank owns in the next epoch: as a set, and as lists of the ones
// that it owned before and of the others.
func (s *Seal) Split(rank string, before []int) (owned []bool, kept, fresh []int) {
	owned = make([]bool, Partitions)
	for _, p := range s.Owned(rank) {
		owned[p] = true
		if slices.Contains(before, p) {
			kept = append(kept, p)
		} else {
			fresh = append(fresh, p)
		}
	}
	return owned, kept, fresh
}

// assign returns the owners of the partitions among the given ranks. Partitions keep their owner,
// unless it has left or has more than an equal share.
func (s *Seal) assign(ranks []string) *Seal {
	next := &Seal{Epoch: s.Epoch + 1, Ranks: slices.Sorted(slices.Values(ranks)), Owners: make([]int, Partitions)}
	n := len(next.Ranks)
	room := make([]int, n) // partitions that each rank may still get
	for i := range room {
		room[i] = Partitions / n
		if i < Partitions%n {
			room[i]++
		}
	}
	var free []int
	for p := range next.Owners {
		at := -1
		if len(s.Owners) > 0 {
			at = slices.Index(next.Ranks, s.Ranks[s.Owners[p]])
		}
		if at >= 0 && room[at] > 0 {
			next.Owners[p] = at
			room[at]--
		} else {
			free = append(free, p)
		}
	}
	at := 0
	for _, p := range free {
		for room[at] == 0 {
			at++
		}
		next.Owners[p] = at
		room[at]--
	}
	return next
}

// Report holds the counts of a rank in an epoch.
type Report struct {
	Pages int64 `json:"pages"` // fetched in the epoch
	Bytes int64 `json:"bytes"`
	Clean int64 `json:"clean"`
	Links int64 `json:"links"` // in the bundle: the rank had not sent them before
	// Queued is the number of URLs that are left to fetch.
	Queued int64 `json:"queued"`
	Hosts  int   `json:"hosts"`
	// Langs counts the pages with text by language, Reasons the others by reason, Failures the
	// requests without a response.
	Langs    map[string]int64 `json:"langs,omitempty"`
	Reasons  map[string]int64 `json:"reasons,omitempty"`
	Failures map[string]int64 `json:"failures,omitempty"`
	// Objects holds the names of the objects with the rank's output in the epoch.
	Objects []string `json:"objects,omitempty"`
}

// Add adds the counts of o. Queued URLs and objects are not added, since they describe a state.
func (r *Report) Add(o Report) {
	r.Pages += o.Pages
	r.Bytes += o.Bytes
	r.Clean += o.Clean
	r.Links += o.Links
	for _, m := range []struct {
		to   *map[string]int64
		from map[string]int64
	}{{&r.Langs, o.Langs}, {&r.Reasons, o.Reasons}, {&r.Failures, o.Failures}} {
		if *m.to == nil {
			*m.to = map[string]int64{}
		}
		for k, n := range m.from {
			(*m.to)[k] += n
		}
	}
}

// quiet reports whether the epoch with these bundles found nothing new and left nothing to fetch.
func quiet(bundles map[string]Report) bool {
	for _, r := range bundles {
		if r.Links > 0 || r.Queued > 0 {
			return false
		}
	}
	return true
}
