package evidence

import (
	"math"
	"math/bits"
)

// Probabilities holds the probability of each class; -1 means impossible. Only the classes that were
// passed to [Among] are set.
type Probabilities [MaxClasses]float64

// Best returns the most probable of the classes, or -1.
func (p *Probabilities) Best(classes []uint16) int {
	best, most := -1, -1.0
	for _, c := range classes {
		if p[c] > most {
			best, most = int(c), p[c]
		}
	}
	return best
}

// Lead returns the best of the classes, or -1 if there is none. It also returns the sum of the
// odds of all classes relative to it.
func Lead(classes []uint16, t *Tally, k *Softness) (best int, sum float64) {
	return among(classes, t, k, nil)
}

// Among is like Lead, and also sets p to the odds.
func Among(classes []uint16, t *Tally, k *Softness, p *Probabilities) (best int, sum float64) {
	return among(classes, t, k, p)
}

func among(classes []uint16, t *Tally, k *Softness, p *Probabilities) (best int, sum float64) {
	best = -1
	if len(classes) == 0 {
		return best, 0
	}
	top := t.top(classes)
	exps, scale := k.exps(t.Rows), k.scale(t.Rows)
	limit := int32(math.MaxInt32) // the distance from the best at which odds are 0
	if exps != nil {
		limit = int32(len(exps) - 1)
	} else {
		limit = within(-leastExp, scale)
	}
	var near nearSet
	near.near(classes, t, top, limit)
	if p != nil {
		for _, c := range classes {
			p[c] = 0
		}
	}
	if scores := t.row(classes); scores != nil && exps != nil && p == nil {
		first, sum := near.sum(scores, top, exps)
		return int(classes[first]), sum
	}
	for w, set := range near {
		for ; set != 0; set &= set - 1 {
			c := classes[w*64+bits.TrailingZeros64(set)]
			behind := top - t.Score[c]
			x := 0.0
			if exps != nil {
				x = exps[behind]
			} else {
				x = exp(float64(-behind) * scale)
			}
			if behind == 0 && best < 0 {
				best = int(c)
			}
			if p != nil {
				p[c] = x
			}
			sum += x
		}
	}
	return best, sum
}

// sum returns the sum of exps by the distances of the scores in s from top, and the index of the first
// score that equals top. It is the usual case of [among] in a loop with few variables.
func (s *nearSet) sum(scores []int32, top int32, exps []float64) (first int, sum float64) {
	first = -1
	for w, set := range s {
		for ; set != 0; set &= set - 1 {
			i := w*64 + bits.TrailingZeros64(set)
			behind := uint(top - scores[i])
			if behind == 0 && first < 0 {
				first = i
			}
			sum += exps[behind]
		}
	}
	return first, sum
}

// within returns a difference of scores that is not less than a margin if multiplied by scale.
func within(margin, scale float64) int32 {
	if d := margin / scale; d >= 0 && d < math.MaxInt32-1 {
		return int32(d) + 1
	}
	return math.MaxInt32
}

// Divide converts odds to probabilities.
func (p *Probabilities) Divide(classes []uint16, sum float64) {
	for _, c := range classes {
		if p[c] > 0 {
			p[c] /= sum
		}
	}
}
