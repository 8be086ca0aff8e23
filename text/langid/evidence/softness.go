package evidence

import (
	"math"
	"sync/atomic"
)

// Softness caches values of the softmax for small numbers of rows, because computing them takes
// longer than reading a few words.
type Softness struct {
	unit, a, b float64
	scales     [tabled]float64                       // by rows
	tables     [tabledExps]atomic.Pointer[[]float64] // by rows and by the distance of a score from the best; built on first use
}

// tabled is the number of cached scales, tabledExps the number of cached tables of
// exponentials. leastExp is the exponent below which a probability counts as 0.
const (
	tabled     = 512
	tabledExps = 128
	leastExp   = -30
)

// set sets k to the softmax of score·unit·exp(a)·n^b.
func (k *Softness) set(unit, a, b float64) {
	k.unit, k.a, k.b = unit, a, b
	for n := range k.scales {
		k.scales[n] = k.compute(int32(n))
	}
	for n := range k.tables {
		k.tables[n].Store(nil)
	}
}

// makeExps builds the table for n rows, terminated by 0. The table is empty if the model has an
// unusual scale.
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

// maxTable is the maximum number of entries of a table; 200 to 900 are usual.
const maxTable = 4096

func (k *Softness) compute(n int32) float64 {
	return k.unit * math.Exp(k.a) * math.Pow(float64(max(n, 1)), k.b)
}

// scale returns the factor of scores before the softmax if n rows were added.
func (k *Softness) scale(n int32) float64 {
	if n < tabled {
		return k.scales[n]
	}
	return k.compute(n)
}

// exps returns e to the power of -i·scale(n) by i, up to the last relevant value, or nil if n
// is too large for a table.
func (k *Softness) exps(n int32) []float64 {
	if n >= tabledExps {
		return nil
	}
	if table := k.tables[n].Load(); table != nil {
		return *table
	}
	return k.makeExps(n)
}

// exp returns e^x, or 0 for negligible values.
func exp(x float64) float64 {
	if x > leastExp {
		return math.Exp(x)
	}
	return 0
}
