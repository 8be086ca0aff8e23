package corpus

import (
	"iter"
	"math"
)

// dispersion returns the average reduced frequency and the average logarithmic
// distance frequency. The item occurs freq times, at the given ascending positions,
// in a corpus of size tokens. Both values are near freq for an even spread and near
// 1 for a single cluster. The corpus is treated as a ring. Savický and Hlaváčová
// 2002, "Measures of word commonness".
//
//	ARF = 1/v sum min(d_i, v), v = size/freq    ALDF = 2^-(sum d_i/size log2(d_i/size))
//
// where d_i are the distances from one occurrence to the next.
func dispersion(positions iter.Seq[int64], freq, size int64) (arf, aldf float64) {
	if freq <= 0 || size <= 0 {
		return 0, 0
	}
	n := float64(size)
	v := n / float64(freq)
	first, last := int64(-1), int64(-1)
	entropy := 0.0
	step := func(d float64) {
		arf += min(d/v, 1)
		if d > 0 {
			entropy -= float64(d / n * math.Log2(d/n))
		}
	}
	for p := range positions {
		if first < 0 {
			first = p
		} else {
			step(float64(p - last))
		}
		last = p
	}
	if first < 0 {
		return 0, 0
	}
	step(float64(first + size - last))
	return arf, math.Exp2(entropy)
}
