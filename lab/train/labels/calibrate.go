package labels

import "math"

// curve is a logistic function of a score: its log odds are slope*score + offset.
type curve struct{ slope, offset float64 }

// platt fits a logistic curve to held-out scores by Newton's method (Platt, Probabilistic Outputs
// for Support Vector Machines, 1999; targets as in Lin, Lin and Weng, 2007).
func platt(scores []float64, is []bool) curve {
	var yes, no float64
	for _, v := range is {
		if v {
			yes++
		} else {
			no++
		}
	}
	hit, miss := (yes+1)/(yes+2), 1/(no+2)
	c := curve{2, math.Log((yes + 1) / (no + 1))}
	for range 100 {
		var g0, g1, h00, h01, h11 float64
		for i, s := range scores {
			y := miss
			if is[i] {
				y = hit
			}
			p := 1 / (1 + math.Exp(-(float64(c.slope*s) + c.offset)))
			d, v := p-y, max(p*(1-p), 1e-6)
			g0, g1 = g0+d, g1+float64(d*s)
			h00, h01, h11 = h00+v, h01+float64(v*s), h11+float64(float64(v*s)*s)
		}
		h00, h11 = h00+1e-6, h11+1e-6
		det := float64(h00*h11) - float64(h01*h01)
		if det <= 0 {
			break
		}
		d0, d1 := (float64(h11*g0)-float64(h01*g1))/det, (float64(h00*g1)-float64(h01*g0))/det
		const farthest = 2 // of a step, so that separable scores do not diverge
		d0, d1 = max(-farthest, min(farthest, d0)), max(-farthest, min(farthest, d1))
		c.offset, c.slope = c.offset-d0, c.slope-d1
		if math.Abs(d0)+math.Abs(d1) < 1e-8 {
			break
		}
	}
	c.slope = max(c.slope, .01)
	return c
}

// softmax fits curves of exclusive classes to held-out scores by gradient descent on the
// log loss: one slope for all classes, and an offset for each. class holds the index of the class
// of each document. A small penalty keeps the slope finite if the scores separate the classes.
func softmax(scores [][]float64, class []int) []curve {
	k := len(scores[0])
	slope, offsets := 2.0, make([]float64, k)
	p, grad, curv := make([]float64, k), make([]float64, k), make([]float64, k)
	const penalty = 1e-3
	for range 300 {
		clear(grad)
		clear(curv)
		var gs, hs float64
		for i, s := range scores {
			normalize(p, s, slope, offsets)
			mean := 0.0
			for c := range p {
				mean += float64(p[c] * s[c])
			}
			for c := range p {
				y := 0.0
				if class[i] == c {
					y = 1
				}
				grad[c] += p[c] - y
				curv[c] += p[c] * (1 - p[c])
				gs += float64((p[c] - y) * s[c])
				hs += float64(p[c] * float64((s[c]-mean)*(s[c]-mean)))
			}
		}
		n := float64(len(scores))
		moved := 0.0
		for c := range offsets {
			d := (grad[c]/n + penalty*offsets[c]) / (curv[c]/n + penalty)
			d = max(-.5, min(.5, d))
			offsets[c] -= .5 * d
			moved += math.Abs(d)
		}
		d := (gs/n + penalty*slope) / (hs/n + penalty)
		d = max(-.5, min(.5, d))
		slope = max(.01, slope-.5*d)
		if moved+math.Abs(d) < 1e-7 {
			break
		}
	}
	out := make([]curve, k)
	for c := range out {
		out[c] = curve{slope, offsets[c]}
	}
	return out
}

// normalize sets p to the softmax of slope*s + offsets.
func normalize(p, s []float64, slope float64, offsets []float64) {
	highest, sum := math.Inf(-1), 0.0
	for c, v := range s {
		p[c] = float64(slope*v) + offsets[c]
		highest = max(highest, p[c])
	}
	for c := range p {
		p[c] = math.Exp(p[c] - highest)
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
}
