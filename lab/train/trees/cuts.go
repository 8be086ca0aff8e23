package trees

import (
	"cmp"
	"math"
	"slices"

	"chaffinch/internal/boost"
)

// Cuts returns at most n-1 ascending cut points that divide the values into bins of about equal
// weight; a nil weight means weights of 1. A value with the weight of a bin gets a separate bin; up
// to n distinct values get one each. NaN is below all values.
func Cuts(values, weight []float32, n int) []float32 {
	points := distinct(values, weight)
	n = min(n, boost.MaxBins)
	if n < 2 || len(points) < 2 {
		return nil
	}
	if len(points) <= n {
		cuts := make([]float32, 0, len(points)-1)
		for i, p := range points[1:] {
			cuts = append(cuts, between(points[i].value, p.value))
		}
		return cuts
	}
	var left float64 // weight still to be divided
	for _, p := range points {
		left += p.weight
	}
	var cuts []float32
	bins := n // number of bins still to be filled, including the current one
	var sum float64
	for i, p := range points[:len(points)-1] {
		sum += p.weight
		share := left / float64(bins)
		next := points[i+1]
		// Cut if the bin is full, before a value that fills a bin alone, and if half of the next
		// value would exceed the share.
		if sum >= share || next.weight >= share || sum+next.weight/2 > share {
			cuts = append(cuts, between(p.value, next.value))
			left -= sum
			sum = 0
			if bins--; bins == 1 {
				break
			}
		}
	}
	return cuts
}

// point is a distinct value with the sum of its weights.
type point struct {
	value  float32
	weight float64
}

// distinct returns the distinct values in ascending order; NaN becomes -Inf.
func distinct(values, weight []float32) []point {
	points := make([]point, 0, len(values))
	for i, v := range values {
		w := 1.
		if weight != nil {
			w = float64(weight[i])
		}
		if v != v {
			v = float32(math.Inf(-1))
		}
		if w > 0 {
			points = append(points, point{v, w})
		}
	}
	compare := func(a, b point) int { return cmp.Compare(a.value, b.value) }
	if weight == nil { // sums of 1 are the same in any order
		slices.SortFunc(points, compare)
	} else {
		slices.SortStableFunc(points, compare)
	}
	var out []point
	for _, p := range points {
		if k := len(out); k > 0 && out[k-1].value == p.value {
			out[k-1].weight += p.weight
		} else {
			out = append(out, p)
		}
	}
	return out
}

// between returns a cut c with a < c <= b.
func between(a, b float32) float32 {
	if c := a + (b-a)/2; c > a && c <= b {
		return c
	}
	return b
}
