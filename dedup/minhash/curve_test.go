package minhash

import "math"

// probability is the chance that two documents of Jaccard similarity s share at
// least one of that many bands: 1-(1-s^rows)^bands (Leskovec, Rajaraman,
// Ullman: Mining of Massive Datasets, section 3.4.2).
func probability(s float64, bands, rows int) float64 {
	return 1 - math.Pow(1-math.Pow(s, float64(rows)), float64(bands))
}

// optimal returns the bands and rows, at most perms values in all, for which
// the areas of false candidates below the threshold and of missed ones above
// it are least in sum, with equal weights: the rule of datasketch, which
// text-dedup and data-juicer follow.
func optimal(threshold float64, perms int) (bands, rows int) {
	best := math.Inf(1)
	for b := 1; b <= perms; b++ {
		for r := 1; r <= perms/b; r++ {
			found := func(s float64) float64 { return probability(s, b, r) }
			missed := func(s float64) float64 { return 1 - probability(s, b, r) }
			if e := area(found, 0, threshold) + area(missed, threshold, 1); e < best {
				best, bands, rows = e, b, r
			}
		}
	}
	return bands, rows
}

// area integrates f by Simpson's rule.
func area(f func(float64) float64, from, to float64) float64 {
	const parts = 128
	h := (to - from) / parts
	sum := f(from) + f(to)
	for i := 1; i < parts; i++ {
		sum += f(from+float64(i)*h) * float64(2+i%2*2)
	}
	return sum * h / 3
}
