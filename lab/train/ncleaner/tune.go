package ncleaner

import (
	"maps"
	"math"
	"slices"

	"chaffinch/clean/ncleaner"
)

// Point is the cross-entropy of held-out raw text for an n and a q.
type Point struct {
	N    int     `json:"n"`
	Q    float64 `json:"q"`
	Bits float64 `json:"bits"` // per character
}

// tuneQ lists the interpolation parameters that Tune tests.
var tuneQ = []float64{0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95}

// Tune computes the curves of figure 2: for each n from 1 to cfg.N and each q of tuneQ, the
// cross-entropy of raw text (clean and dirty together) under a model of the raw text of the other
// folds. The alphabet is the one of cfg. Points are ordered by n, then q.
func (t *Trainer) Tune(folds int) []Point {
	nq := len(tuneQ)
	sums := make([]float64, t.cfg.N*nq)
	var chars float64
	for _, held := range t.folds(folds) {
		rest, test := maps.Clone(t.raw), ncleaner.Counts{}
		for _, i := range held {
			sub(rest, t.pages[i].raw)
			add(test, t.pages[i].raw)
		}
		e := ncleaner.NewEstimator(t.a, t.cfg.N, rest, t.cfg.Q)
		for _, g := range slices.Sorted(maps.Keys(test)) {
			weight := float64(test[g])
			chars += weight
			curves(e, t.cfg.N, g, weight, sums)
		}
	}
	points := make([]Point, 0, len(sums))
	for n := 1; n <= t.cfg.N; n++ {
		for i, q := range tuneQ {
			points = append(points, Point{n, q, sums[(n-1)*nq+i] / chars})
		}
	}
	return points
}

// curves adds weight times the bits of the last symbol of g to sums, for all n and q. The relative
// frequencies are the same for all q.
func curves(e *ncleaner.Estimator, n int, g uint64, weight float64, sums []float64) {
	nq := len(tuneQ)
	p1, _ := e.Relative(g, 1)
	var p [64]float64
	for i := range tuneQ {
		p[i] = p1
		sums[i] -= float64(weight * math.Log2(p1))
	}
	for k := 2; k <= n; k++ {
		if f, ok := e.Relative(g, k); ok {
			for i, q := range tuneQ {
				take := (1 - q) / (1 - math.Pow(q, float64(k)))
				p[i] = float64(take*f) + float64((1-take)*p[i])
			}
		}
		for i := range tuneQ {
			sums[(k-1)*nq+i] -= float64(weight * math.Log2(p[i]))
		}
	}
}

// Best returns the point with the lowest cross-entropy.
func Best(points []Point) Point {
	best := Point{Bits: math.Inf(1)}
	for _, p := range points {
		if p.Bits < best.Bits {
			best = p
		}
	}
	return best
}
