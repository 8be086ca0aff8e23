package blocks

import (
	"fmt"
	"math"
	"slices"

	"chaffinch/page"
)

// rule selects blocks by their probabilities.
type rule struct {
	sure, least float32
	beta2       float64 // weight of recall against precision, squared
	strict      bool    // least applies even if no block is kept
}

// newRule returns the rule that cfg configures.
func newRule(cfg Config) (rule, error) {
	var r rule
	switch cfg.Favour {
	case "":
		r = rule{sure: .6, least: .25, beta2: 1}
	case Precision:
		r = rule{sure: .8, least: .5, beta2: .25}
	case Recall:
		r = rule{sure: .4, least: .1, beta2: 4}
	default:
		return r, fmt.Errorf("blocks: favour %q: wanted %s, %s or nothing", cfg.Favour, Precision, Recall)
	}
	if cfg.SureProbability != 0 {
		r.sure = float32(cfg.SureProbability)
	}
	if cfg.MinProbability != 0 {
		r.least, r.strict = float32(cfg.MinProbability), true
	}
	if !(0 <= r.least && r.least <= r.sure && r.sure <= 1) {
		return r, fmt.Errorf("blocks: min_probability %v and sure_probability %v: wanted 0 <= min_probability <= sure_probability <= 1", r.least, r.sure)
	}
	return r, nil
}

// decide sets s.kept. Let w be the words of a block and p its probability. It selects the
// blocks with the highest p that maximise the expected F-measure
//
//	(1+b²) Σ chosen wp / (Σ chosen w + b² Σ all wp)
//
// where b = 1 without Favour. It then drops blocks below least and adds all blocks of at
// least sure.
func (r rule) decide(s *scratch) {
	n := s.sheet.n
	s.order = s.order[:0]
	var chosen, hits, all float64
	// f is at most 1/(1+b²), so blocks with higher probabilities raise it. Probabilities from .5 are
	// multiples of 2^-24, so their sums are exact in any order. These blocks need no sorting.
	certain := max(r.sure, .5, float32(1/(1+r.beta2))+.01)
	for i := range n {
		p, w := float64(s.keep[i]), float64(s.sheet.blocks[i].words)
		all += float64(p * w)
		switch {
		case s.keep[i] >= certain:
			chosen += w
			hits += float64(w * p)
		case !(s.keep[i] < r.least): // all others are never kept
			s.order = append(s.order, rank(s.keep[i], i))
		}
	}
	slices.Sort(s.order)
	best, limit := 0., r.sure
	if hits > 0 {
		best = hits / (chosen + float64(r.beta2*all))
	}
	for _, ranked := range s.order {
		i := uint32(ranked)
		p := s.keep[i]
		w := float64(s.sheet.blocks[i].words)
		chosen += w
		hits += float64(w * float64(p))
		if f := hits / (chosen + float64(r.beta2*all)); f >= best {
			best, limit = f, min(p, r.sure)
		}
	}
	s.kept = s.kept[:0]
	for i := range n {
		s.kept = append(s.kept, s.keep[i] >= limit)
	}
}

// rank returns a sort key: higher probabilities first, ties in page order. Probabilities are
// not negative, so they sort like their bits.
func rank(p float32, block int) uint64 {
	return uint64(^math.Float32bits(p))<<32 | uint64(block)
}

// leastRunning is the minimum expected number of words of running text in good blocks of a
// page with text. Search results and portals have less, regardless of the length of their
// lines.
const leastRunning = 8

// A page consists of running text if the share onlyRunning of its words is in good blocks, with
// a mean probability of at least likelyRunning.
const (
	onlyRunning   = .8
	likelyRunning = .1
)

// rescue keeps the most probable text of a page with running text of which no block would be
// kept. It selects, among all roles that a reader would keep, the blocks with the best
// expected F-measure, even if they are improbable. It does nothing if the user has set a
// minimum probability.
func (l *Labeller) rescue(s *scratch, want page.Roles) {
	if l.rule.strict || want&running == 0 || slices.Contains(s.kept, true) {
		return
	}
	var expected, good, all float64
	for i, b := range s.sheet.blocks {
		if b.hidden {
			continue
		}
		all += float64(b.words)
		if b.good {
			good += float64(b.words)
			expected += float64(float64(b.words) * float64(Probability(s.rolesOf(i), running)))
		}
	}
	if expected < leastRunning && (good < onlyRunning*all || expected < likelyRunning*good) {
		return
	}
	l.model.keep(s, readers)
	r := l.rule
	r.least = 0
	r.decide(s)
	for i := range s.kept {
		s.causes[i] = byItself
		if s.kept[i] {
			s.causes[i] = asRescued
		}
	}
}

// readers holds the roles that a reader would keep.
var readers = generals[Text]

// Causes of decisions that depend on other blocks.
const (
	whyHeading = "its section is kept"
	whySection = "its heading is left out"
	whyBare    = "nothing under it is kept"
	whyRescued = "the most probable text of a page that would be empty"
	whyCopy    = "the page has said it before"
	whyMain    = "no article on the page: its main content is kept"
	whyResidue = "code outside of elements for code"
	whyReveal  = "hidden, but a large part of the content"
)

// reasons holds explanations as constants, to avoid allocation.
var reasons = [...]string{
	"probably text", "rather text, and the page keeps much like it", "not sure, and the page has better", "probably no text",
}

// reason returns a short explanation of the decision.
func (r rule) reason(p float32, kept bool, by cause) string {
	switch {
	case by == asHeading:
		return whyHeading
	case by == asSection:
		return whySection
	case by == asBare:
		return whyBare
	case by == asRescued:
		return whyRescued
	case by == asCopy:
		return whyCopy
	case by == asMain:
		return whyMain
	case kept && p >= r.sure:
		return reasons[0]
	case kept:
		return reasons[1]
	case p >= r.least:
		return reasons[2]
	}
	return reasons[3]
}
