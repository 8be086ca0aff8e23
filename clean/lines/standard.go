package lines

import (
	"math"

	"chaffinch/internal/recurrent"
)

// standard brings columns to mean 0 and standard deviation 1, cut at clipAt.
type standard struct{ mean, scale []float32 }

const clipAt = 4

// fitStandard takes mean and deviation of the columns of rows.
func fitStandard(rows [][]float32, width int) standard {
	s := standard{make([]float32, width), make([]float32, width)}
	sum, square := make([]float64, width), make([]float64, width)
	n := 0.
	for _, r := range rows {
		for k := 0; k+width <= len(r); k += width {
			n++
			for c, v := range r[k : k+width] {
				sum[c] += float64(v)
				square[c] += float64(float64(v) * float64(v))
			}
		}
	}
	for c := range sum {
		mean := sum[c] / max(n, 1)
		sd := math.Sqrt(max(square[c]/max(n, 1)-float64(mean*mean), 0))
		s.mean[c] = float32(mean)
		if sd > 1e-6 {
			s.scale[c] = float32(1 / sd)
		}
	}
	return s
}

// apply standardises rows of columns in place.
func (s standard) apply(rows []float32) { recurrent.Standardise(rows, s.mean, s.scale, clipAt) }
