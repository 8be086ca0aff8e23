package evidence

import "math"

// Probabilities are those of the classes; -1 = cannot be.
type Probabilities [MaxClasses]float64

// Best returns the most probable of the classes, or -1.
func (p *Probabilities) Best(classes []uint8) int {
	best, most := -1, -1.0
	for _, c := range classes {
		if p[c] > most {
			best, most = int(c), p[c]
		}
	}
	return best
}

// Among sets p to the odds of the classes against the best one, which it returns
// with their sum, or -1 where there is no class.
func Among(classes []uint8, t *Tally, k *Softness, p *Probabilities) (best int, sum float64) {
	best, top := -1, int32(math.MinInt32)
	for _, c := range classes {
		if x := t.Score[c]; x > top {
			best, top = int(c), x
		}
	}
	if exps := k.exps(t.Rows); exps != nil {
		for _, c := range classes {
			x := 0.0
			if behind := int(top - t.Score[c]); behind < len(exps) {
				x = exps[behind]
			}
			p[c] = x
			sum += x
		}
		return best, sum
	}
	scale := k.scale(t.Rows)
	for _, c := range classes {
		p[c] = exp(float64(t.Score[c]-top) * scale)
		sum += p[c]
	}
	return best, sum
}

// Divide turns odds into probabilities.
func (p *Probabilities) Divide(classes []uint8, sum float64) {
	for _, c := range classes {
		if p[c] > 0 {
			p[c] /= sum
		}
	}
}
