package evidence

import (
	"math"
	"sync/atomic"
)

// Softness holds what the softmax needs of the scores of few rows, since to
// compute it takes longer than to read a few words.
type Softness struct {
	unit, a, b float64
	scales     [tabled]float64                       // by rows
	tables     [tabledExps]atomic.Pointer[[]float64] // by rows and by how far a score is behind the best; made when one is asked for
}

// tabled is for how many rows there is a scale, tabledExps for how many a table
// of exponentials, and leastExp the power of e below which a probability counts
// as 0.
const (
	tabled     = 512
	tabledExps = 128
	leastExp   = -30
)

// set makes k the softmax of score·unit·exp(a)·n^b.
func (k *Softness) set(unit, a, b float64) {
	k.unit, k.a, k.b = unit, a, b
	for n := range k.scales {
		k.scales[n] = k.compute(int32(n))
	}
	for n := range k.tables {
		k.tables[n].Store(nil)
	}
}

// makeExps makes the table for n rows, with 0 behind what counts; there is none where the
// model is strange.
func (k *Softness) makeExps(n int32) []float64 {
	size := 0.0
	if scale := k.scales[n]; scale > 0 {
		size = -leastExp/scale + 1
	}
	var table []float64
	if size > 1 && size < maxTable {
		table = make([]float64, int(size)+1)
	}
	for i := range max(len(table)-1, 0) {
		table[i] = exp(float64(-i) * k.scales[n])
	}
	k.tables[n].Store(&table)
	return table
}

// maxTable is the largest number of entries of a table; usual are 200 to 900.
const maxTable = 4096

func (k *Softness) compute(n int32) float64 {
	return k.unit * math.Exp(k.a) * math.Pow(float64(max(n, 1)), k.b)
}

// scale is the factor of scores before the softmax, where n rows were added.
func (k *Softness) scale(n int32) float64 {
	if n < tabled {
		return k.scales[n]
	}
	return k.compute(n)
}

// exps returns e to the power of -i·scale(n) by i, as far as it counts, or nil
// where n is too large for a table.
func (k *Softness) exps(n int32) []float64 {
	if n >= tabledExps {
		return nil
	}
	if table := k.tables[n].Load(); table != nil {
		return *table
	}
	return k.makeExps(n)
}

// exp is e^x, or 0 for what is too small to count.
func exp(x float64) float64 {
	if x > leastExp {
		return math.Exp(x)
	}
	return 0
}
