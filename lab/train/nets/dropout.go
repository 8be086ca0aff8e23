package nets

import (
	"math/rand/v2"
	"slices"
)

// dropout drops values at random (Srivastava et al., JMLR 15, 2014) and records which.
type dropout struct {
	rng             *rand.PCG
	dense, ids, top float64 // fractions of dropped values

	drawn   []uint32 // the ids that were not dropped, by item
	ends    []int32
	kept    []float32 // n x Project: the factors of the projections, none without dropout
	out     []float32 // n x 2*Hidden: the last layer after dropout, none without
	keptTop []float32 // its factors
}

// begin prepares z for a sequence.
func (z *dropout) begin(rng *rand.PCG) {
	z.rng, z.drawn, z.ends = rng, z.drawn[:0], z.ends[:0]
}

// drops reports whether to drop a value: true with probability p.
func (z *dropout) drops(p float64) bool { return float64(z.rng.Uint64()>>11)*0x1p-53 < p }

func (z *dropout) Input(row []float32) {
	if z.dense == 0 {
		return
	}
	up := float32(1 / (1 - z.dense))
	for k := range row {
		if row[k] *= up; z.drops(z.dense) {
			row[k] = 0
		}
	}
}

func (z *dropout) Pick(ids []uint32) []uint32 {
	from := len(z.drawn)
	for _, id := range ids {
		if z.ids == 0 || !z.drops(z.ids) {
			z.drawn = append(z.drawn, id)
		}
	}
	z.ends = append(z.ends, int32(len(z.drawn)))
	return z.drawn[from:]
}

func (z *dropout) Projected(v []float32) {
	if z.top > 0 {
		z.kept = z.drop(v, z.kept)
	}
}

func (z *dropout) Last(v []float32) []float32 {
	if z.top == 0 {
		return v
	}
	z.out = append(z.out[:0], v...)
	z.keptTop = z.drop(z.out, z.keptTop)
	return z.out
}

// drop sets values to 0 and scales the others up. It returns the factors in the buffer kept.
func (z *dropout) drop(v, kept []float32) []float32 {
	kept = slices.Grow(kept[:0], len(v))[:len(v)]
	up := float32(1 / (1 - z.top))
	for i := range v {
		kept[i] = up
		if z.drops(z.top) {
			kept[i] = 0
		}
		v[i] *= kept[i]
	}
	return kept
}
