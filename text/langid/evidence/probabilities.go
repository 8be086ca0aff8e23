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
	top := int32(math.MinInt32)
	for _, c := range classes {
		top = max(top, t.Score[c])
	}
	best = -1
	for _, c := range classes {
		if t.Score[c] == top {
			best = int(c)
			break
		}
	}
	exps, scale := k.exps(t.Rows), k.scale(t.Rows)
	for _, c := range classes {
		x, behind := 0.0, int(top-t.Score[c])
		if exps != nil {
			x = exps[min(uint(behind), uint(len(exps)-1))]
		} else {
			x = exp(float64(-behind) * scale)
		}
		if p != nil {
			p[c] = x
		}
		sum += x
	}
	return best, sum
}

// Divide converts odds to probabilities.
func (p *Probabilities) Divide(classes []uint16, sum float64) {
	for _, c := range classes {
		if p[c] > 0 {
			p[c] /= sum
		}
	}
}
