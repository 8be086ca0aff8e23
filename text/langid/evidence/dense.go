package evidence

// Rows of at least denseQuads quads take most of the additions. If the processor can expand bytes by a
// mask, they have another layout of the same size, a dense row. It begins with denseWords words, with a
// bit for each class of the row, from Model.base on. A byte for each bit follows: the weight plus
// denseBias. A few vector instructions add a dense row to the scores of all these classes.
const (
	denseQuads   = 12
	denseWords   = 6
	denseClasses = 64 * denseWords
	denseBias    = 64
)

// densify makes all long rows dense and sets m.base. It reports whether all rows fit; otherwise the pairs
// must be filled again. row is the number of the first row by number of pairs, and first the first row
// as in the tables.
func (m *Model) densify(row *[MaxPairs + 2]int, first *[MaxPairs + 1]uint64) bool {
	most := 0
	for s := range m.ByScript {
		if len(m.ByScript[s]) > len(m.ByScript[most]) {
			most = s
		}
	}
	if len(m.ByScript[most]) == 0 || int(m.ByScript[most][0])+denseClasses > MaxClasses {
		return false
	}
	m.base = int(m.ByScript[most][0])
	for pairs := 4*denseQuads - 3; pairs <= MaxPairs; pairs++ {
		quads := quadsOf(pairs)
		at := int(first[pairs] >> rowShift)
		for range row[pairs+1] - row[pairs] {
			if !densify(m.pairs[at:at+quads], pairs, m.base) {
				return false
			}
			at += quads
		}
	}
	return true
}

// densify makes a row of n pairs dense. It reports whether the row fits: its classes ascend, and are among
// the denseClasses classes from base on. Otherwise the row is unchanged.
func densify(row []uint64, n, base int) bool {
	var dense [denseWords + (MaxPairs+7)/8]uint64
	last := -1
	for i := range n {
		p := row[i/4] >> (i % 4 * 16)
		c := int(p&classMask) - base
		if c <= last || c >= denseClasses {
			return false
		}
		last = c
		dense[c/64] |= 1 << (c % 64)
		dense[denseWords+i/8] |= uint64(levels[p>>classBits&levelMask]+denseBias) << (i % 8 * 8)
	}
	copy(row, dense[:])
	return true
}
