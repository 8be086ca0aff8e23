package boost

import "math"

// Binner bins columns of values with the same cuts. It returns the bins of [Bin] without branches
// that depend on a value.
type Binner struct {
	cuts []float32
	// keys holds the keys of the cuts, filled up with the largest key, which no value has.
	keys  [binnerKeys]uint32
	table cutTable
}

// cutTable holds the cuts in groups of eight, for processors that compare eight values at once.
// pivots is the last cut of each group except the last group. groups[i] holds cut i of every group.
// Missing cuts are NaN, which no value is above.
type cutTable struct {
	pivots [8]float32
	groups [8][8]float32
}

// The sizes of a binary search. fewKeys, for columns with two values, takes two steps.
const (
	binnerKeys = 64
	fewKeys    = 4
)

// NewBinner returns a Binner for ascending cuts.
func NewBinner(cuts []float32) *Binner {
	b := &Binner{cuts: cuts}
	for i := range b.keys {
		b.keys[i] = math.MaxUint32
		if i < len(cuts) {
			b.keys[i] = key(cuts[i])
		}
	}
	cut := func(i int) float32 {
		if i < len(cuts) {
			return cuts[i]
		}
		return float32(math.NaN())
	}
	for g := range 8 {
		b.table.pivots[g] = cut(8*g + 7)
		for i := range 8 {
			b.table.groups[i][g] = cut(8*g + i)
		}
	}
	return b
}

// key returns a number that orders as v does. 0 and -0 have the same key; the key of NaN is above
// all others or below all others.
func key(v float32) uint32 {
	k := math.Float32bits(v + 0) // -0 becomes 0
	return k ^ (uint32(int32(k)>>31) | 1<<31)
}

// Bin sets dst[i] to the bin of values[i]. dst is at least as long as values.
func (b *Binner) Bin(dst []uint8, values []float32) {
	dst = dst[:len(values)]
	if len(b.cuts) >= binnerKeys {
		for i, v := range values {
			dst[i] = Bin(v, b.cuts)
		}
		return
	}
	n := b.binMany(dst, values)
	dst, values = dst[n:], values[n:]
	many := len(b.cuts) >= fewKeys
	last, bin := float32(math.NaN()), uint8(0)
	for i, v := range values {
		if v != last { // neighbouring values are often equal
			k, at := uint64(key(v)), 0
			if many {
				at = b.step(k, at, 32)
				at = b.step(k, at, 16)
				at = b.step(k, at, 8)
				at = b.step(k, at, 4)
			}
			at = b.step(k, at, 2)
			at = b.step(k, at, 1)
			if v != v {
				at = 0
			}
			last, bin = v, uint8(at)
		}
		dst[i] = bin
	}
}

// step returns at+n if the n keys from at are not above k, otherwise at.
func (b *Binner) step(k uint64, at, n int) int {
	above := int((k - uint64(b.keys[(at+n-1)&(binnerKeys-1)])) >> 63)
	return at + n&(above-1)
}
