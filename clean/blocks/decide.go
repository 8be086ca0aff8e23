package blocks

import (
	"fmt"
	"math"
	"slices"
)

// rule chooses blocks by their probabilities.
type rule struct {
	sure, least float32
	beta2       float64 // weight of recall against precision, squared
	strict      bool    // least holds even if nothing is kept
}

// newRule returns the rule that cfg describes.
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

// decide sets s.kept. With w the words of a block and p its probability,
// the blocks with the highest p are chosen whose expected F-measure
//
//	(1+b²) Σ chosen wp / (Σ chosen w + b² Σ all wp)
//
// is the highest (b = 1 without Favour); of these the ones below least are left
// out, and all of at least sure are added.
func (r rule) decide(s *scratch) {
	n := s.sheet.n
	s.order = s.order[:0]
	all := 0.
	for i := range n {
		if !(s.keep[i] < r.least) { // others are never chosen
			s.order = append(s.order, rank(s.keep[i], i))
		}
		all += float64(float64(s.keep[i]) * float64(s.sheet.blocks[i].words))
	}
	slices.Sort(s.order)
	var chosen, hits, best float64
	limit := r.sure
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

// rank returns a number by which blocks are sorted: those of higher probability first, of equal
// ones in page order. Probabilities are not negative, so their bits have their order.
func rank(p float32, block int) uint64 {
	return uint64(^math.Float32bits(p))<<32 | uint64(block)
}

// leastRunning is the expected number of words of running text in good blocks of a page
// that has some. Results of searches and portals have less, however long their lines.
const leastRunning = 8

// rescue keeps the most probable text of a page of which nothing would be kept
// though it has running text, by the probabilities of its good blocks: of all roles that a reader would keep, the blocks
// with the best expected F-measure, however unlikely they are; but not where the
// user set a probability that blocks need.
func (l *Labeller) rescue(s *scratch) {
	if l.rule.strict || l.want&running == 0 || slices.Contains(s.kept, true) {
		return
	}
	expected := 0.
	for i, b := range s.sheet.blocks {
		if b.good {
			expected += float64(float64(b.words) * float64(Probability(s.rolesOf(i), running)))
		}
	}
	if expected < leastRunning {
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

// readers are the roles that a reader would keep.
var readers = generals[Text]

// Explanations of what was decided for the sake of other blocks.
const (
	whyHeading = "its section is kept"
	whySection = "its heading is left out"
	whyBare    = "nothing under it is kept"
	whyRescued = "the most probable text of a page that would be empty"
	whyCopy    = "the page has said it before"
	whyResidue = "code outside of elements for code"
)

// whys are explanations that need no allocation.
var whys = [...]string{
	"probably text", "rather text, and the page keeps much like it", "not sure, and the page has better", "probably no text",
}

// why says in a few words what decided.
func (r rule) why(p float32, kept bool, by cause) string {
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
	case kept && p >= r.sure:
		return whys[0]
	case kept:
		return whys[1]
	case p >= r.least:
		return whys[2]
	}
	return whys[3]
}
