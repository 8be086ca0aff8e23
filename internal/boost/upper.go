package boost

import (
	"math/bits"
	"slices"
)

// Upper returns a forest that does not read the given columns. The score of a row is the sum of the
// highest values that each tree has for any values of these columns, so it is at least the score of
// f.
func (f *Forest) Upper(without ...int) *Forest {
	u := &Forest{base: f.base, scale: f.scale, splits: splits{features: f.features}}
	levels, values := f.levels, f.values
	for _, depth := range f.depths {
		kept := 0 // bits of the index of a leaf
		for l, q := range levels[:depth] {
			if !slices.Contains(without, f.features[q.feature].Col) {
				kept |= 1 << l
				u.levels = append(u.levels, q)
			}
		}
		u.depths = append(u.depths, uint8(bits.OnesCount(uint(kept))))
		best := slices.Clone(values[:1<<depth])
		for leaf, v := range best {
			if first := &best[leaf&kept]; (v > *first) == (f.scale > 0) {
				*first = v
			}
		}
		for leaf, v := range best {
			if leaf&kept == leaf {
				u.values = append(u.values, v)
			}
		}
		levels, values = levels[depth:], values[1<<depth:]
	}
	u.layOut()
	return u
}
