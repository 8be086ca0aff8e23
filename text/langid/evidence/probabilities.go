package evidence

import "math"

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
	for _, c := range classes {
		behind := top - t.Score[c]
		if p != nil {
			p[c] = 0
		}
		if behind > limit {
			continue
		}
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
	return best, sum
}

// within returns a difference of scores that is not less than a margin if multiplied by scale.
func within(margin, scale float64) int32 {
	if d := margin / scale; d >= 0 && d < math.MaxInt32-1 {
		return int32(d) + 1
	}
	return math.MaxInt32
}

// top returns the highest score of the classes, of which there is at least one.
func (t *Tally) top(classes []uint16) int32 {
	first, last := int(classes[0]), int(classes[len(classes)-1])
	a, b, c, d := t.Score[first], t.Score[first], t.Score[first], t.Score[first]
	if last-first != len(classes)-1 { // some are missing in between
		for _, i := range classes {
			a = max(a, t.Score[i])
		}
		return a
	}
	scores := t.Score[first : last+1]
	for ; len(scores) >= 4; scores = scores[4:] { // four maxima are computed in parallel
		a, b, c, d = max(a, scores[0]), max(b, scores[1]), max(c, scores[2]), max(d, scores[3])
	}
	for _, x := range scores {
		a = max(a, x)
	}
	return max(a, b, c, d)
}

// Divide converts odds to probabilities.
func (p *Probabilities) Divide(classes []uint16, sum float64) {
	for _, c := range classes {
		if p[c] > 0 {
			p[c] /= sum
		}
	}
}
