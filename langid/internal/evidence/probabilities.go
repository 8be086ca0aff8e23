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

// Lead returns the best of the classes, or -1 where there is none, and the sum of
// the odds of all against it.
func Lead(classes []uint8, t *Tally, k *Softness) (best int, sum float64) {
	return among(classes, t, k, nil)
}

// Among is Lead, and sets p to the odds.
func Among(classes []uint8, t *Tally, k *Softness, p *Probabilities) (best int, sum float64) {
	return among(classes, t, k, p)
}

func among(classes []uint8, t *Tally, k *Softness, p *Probabilities) (best int, sum float64) {
	best, top := -1, int32(math.MinInt32)
	for _, c := range classes {
		if x := t.Score[c]; x > top {
			best, top = int(c), x
		}
	}
	exps, scale := k.exps(t.Rows), k.scale(t.Rows)
	for _, c := range classes {
		x := 0.0
		if behind := int(top - t.Score[c]); behind < len(exps) {
			x = exps[behind]
		} else if exps == nil {
			x = exp(float64(-behind) * scale)
		}
		if p != nil {
			p[c] = x
		}
		sum += x
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
