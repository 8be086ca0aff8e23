package blocks

import (
	"cmp"
	"fmt"
	"slices"
)

// rule chooses blocks by their probabilities.
type rule struct {
	sure, least float32
	beta2       float64 // weight of recall against precision, squared
}

// newRule returns the rule that cfg describes.
func newRule(cfg Config) (rule, error) {
	var r rule
	switch cfg.Favour {
	case "":
		r = rule{.6, .25, 1}
	case Precision:
		r = rule{.8, .5, .25}
	case Recall:
		r = rule{.4, .1, 4}
	default:
		return r, fmt.Errorf("blocks: favour %q: wanted %s, %s or nothing", cfg.Favour, Precision, Recall)
	}
	if cfg.SureProbability != 0 {
		r.sure = float32(cfg.SureProbability)
	}
	if cfg.MinProbability != 0 {
		r.least = float32(cfg.MinProbability)
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
		s.order = append(s.order, int32(i))
		all += float64(s.keep[i]) * float64(s.sheet.blocks[i].words)
	}
	slices.SortFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.keep[b], s.keep[a]), cmp.Compare(a, b))
	})
	var chosen, hits, best float64
	limit := r.sure
	for _, i := range s.order {
		p := s.keep[i]
		if p < r.least {
			break
		}
		w := float64(s.sheet.blocks[i].words)
		chosen += w
		hits += w * float64(p)
		if f := hits / (chosen + r.beta2*all); f >= best {
			best, limit = f, min(p, r.sure)
		}
	}
	s.kept = s.kept[:0]
	for i := range n {
		s.kept = append(s.kept, s.keep[i] >= limit)
	}
}

// Explanations of what was decided for the sake of other blocks.
const (
	whyHeading = "its section is kept"
	whySection = "its heading is left out"
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
	case kept && p >= r.sure:
		return whys[0]
	case kept:
		return whys[1]
	case p >= r.least:
		return whys[2]
	}
	return whys[3]
}
