package simulate

import (
	"math/rand/v2"

	"chaffinch/crawl/schedule"
)

// matches holds the shares of links from other hosts that have a word in common with the page, for hosts
// in ten groups of equal size. mismatches holds the shares if the pages are replaced by random pages of
// other hosts. Both were measured on links between university sites (lab/results/crawl.md).
var (
	matches    = [...]float64{.75, .93, .98, 1, 1, 1, 1, 1, 1, 1}
	mismatches = [...]float64{0, 0, 0, .11, .21, .25, .30, .40, .50, .65}
)

const (
	// sameName is the share of links to an expired domain with a word that is also on its new pages,
	// such as its name.
	sameName = .1
	// expiredPages is the number of earlier pages of an expired domain that have links.
	expiredPages = 100
)

// Words of links in a simulated web.
const (
	noWords = iota
	matching
	differing
)

// match returns the share of links to a host that have words in common with its page.
func (w *Web) match(host uint32) float64 {
	rng := w.rand(host, "/", 4*textStream)
	if w.hosts[host].kind == Spam && len(w.cfg.SpamKinds) > 0 && w.spamKind(host) == Expired {
		return sameName + float64((1-sameName)*pick(rng, mismatches[:]))
	}
	return pick(rng, matches[:])
}

// linkWords returns the words of a link that match with probability p. Half of the links have no words.
func linkWords(rng *rand.Rand, p float64) uint32 {
	switch {
	case rng.IntN(2) == 0:
		return noWords
	case rng.Float64() < p:
		return matching
	}
	return differing
}

// testWords sets the result of the comparison of a page with the words of a link to it.
func testWords(words uint32, o *schedule.Outcome) {
	switch words {
	case matching:
		o.Match = 1
	case differing:
		o.Match = -1
	}
}
