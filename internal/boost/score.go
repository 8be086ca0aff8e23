package boost

import "encoding/binary"

const (
	ones  = 0x0101010101010101
	tops  = 0x8080808080808080
	lanes = 8 // rows scored at once
	// blockRows is the number of rows that trees are applied to in sequence. Their columns and sums
	// stay in the first-level cache.
	blockRows = 256
	// never is a threshold that no bin exceeds.
	never = MaxBins - 1
)

// Score sets dst[i] to the log odds of row i of m. m needs Columns columns. Rows with bins above
// MaxBins-1 get meaningless scores.
//
// On amd64 a depth of at most 5 is the fastest if the columns have spare capacity (see [Matrix]),
// then a depth of 6. Other depths cost as much as depth 8.
func (f *Forest) Score(m *Matrix, dst []float32) {
	dst = dst[:m.Rows]
	if f.wide != nil && f.scoreWide(m, dst) {
		return
	}
	from := 0
	for ; from+lanes <= m.Rows; from += blockRows {
		// Rows after the last complete group of lanes are scored below.
		n := min(blockRows, m.Rows-from) &^ (lanes - 1)
		f.scoreBlock(m, dst[from:from+n], from)
	}
	if left := m.Rows % lanes; left > 0 {
		if m.Rows >= lanes {
			f.scoreBlock(m, dst[m.Rows-lanes:], m.Rows-lanes)
			return
		}
		for i := range dst {
			dst[i] = f.scoreRow(m, i)
		}
	}
}

// scoreRow scores one row without optimisations.
func (f *Forest) scoreRow(m *Matrix, row int) float32 {
	levels, values := f.levels, f.values
	var sum int32
	for _, depth := range f.depths {
		leaf := 0
		for l, q := range levels[:depth] {
			ft := f.features[q.feature]
			if m.Cols[ft.Col][Pad+ft.Shift+row] > q.threshold {
				leaf |= 1 << l
			}
		}
		sum += int32(values[leaf])
		levels, values = levels[depth:], values[1<<depth:]
	}
	return f.base + float32(f.scale*float32(sum))
}

// scoreBlock scores len(dst) rows from row from. len(dst) is a multiple of lanes, at most
// blockRows.
func (f *Forest) scoreBlock(m *Matrix, dst []float32, from int) {
	var buf [blockRows]int32
	sums := buf[:len(dst)]
	levels, values := f.levels, f.values
	for _, depth := range f.depths {
		switch depth {
		case 0:
			for i := range sums {
				sums[i] += int32(values[0])
			}
		case 6:
			f.add6(m, (*[6]level)(levels), (*[1 << 6]int16)(values), from, sums)
		default:
			f.add8(m, levels[:depth], values[:1<<depth], from, sums)
		}
		levels, values = levels[depth:], values[1<<depth:]
	}
	for i, s := range sums {
		dst[i] = f.base + float32(f.scale*float32(s))
	}
}

// limit returns the threshold of a split plus 1 in each byte.
func limit(q level) uint64 { return (uint64(q.threshold) + 1) * ones }

// add6 adds a tree of six levels to the sums of the rows from row from.
//
// Bytes are compared eight at a time. A byte with its top bit set, minus the threshold plus 1,
// keeps the top bit if and only if it was above the threshold, and borrows nothing from the next
// byte.
func (f *Forest) add6(m *Matrix, q *[6]level, values *[1 << 6]int16, from int, sums []int32) {
	n := len(sums)
	c0, c1, c2 := f.column(m, q[0], from, n), f.column(m, q[1], from, n), f.column(m, q[2], from, n)
	c3, c4, c5 := f.column(m, q[3], from, n), f.column(m, q[4], from, n), f.column(m, q[5], from, n)
	t0, t1, t2 := limit(q[0]), limit(q[1]), limit(q[2])
	t3, t4, t5 := limit(q[3]), limit(q[4]), limit(q[5])
	// Only for the compiler: these lengths prove that no index is out of range.
	c0, c1, c2, c3, c4, c5 = c0[:n], c1[:n], c2[:n], c3[:n], c4[:n], c5[:n]
	for row := 0; row+lanes <= n; row += lanes {
		// Each outcome enters as the top bit of its byte and moves down.
		leaf := ((binary.LittleEndian.Uint64(c0[row:row+8]) | tops) - t0) & tops >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c1[row:row+8])|tops)-t1)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c2[row:row+8])|tops)-t2)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c3[row:row+8])|tops)-t3)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c4[row:row+8])|tops)-t4)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c5[row:row+8])|tops)-t5)&tops) >> 2
		s := (*[lanes]int32)(sums[row : row+lanes])
		s[0] += int32(values[leaf&63])
		s[1] += int32(values[leaf>>8&63])
		s[2] += int32(values[leaf>>16&63])
		s[3] += int32(values[leaf>>24&63])
		s[4] += int32(values[leaf>>32&63])
		s[5] += int32(values[leaf>>40&63])
		s[6] += int32(values[leaf>>48&63])
		s[7] += int32(values[leaf>>56&63])
	}
}

// add8 is add6 for trees of 1 to 8 levels. Missing levels get a split that is always false.
func (f *Forest) add8(m *Matrix, levels []level, values []int16, from int, sums []int32) {
	var q [8]level
	for l := range q {
		q[l] = level{levels[0].feature, never}
	}
	copy(q[:], levels)
	n := len(sums)
	c0, c1, c2, c3 := f.column(m, q[0], from, n), f.column(m, q[1], from, n), f.column(m, q[2], from, n), f.column(m, q[3], from, n)
	c4, c5, c6, c7 := f.column(m, q[4], from, n), f.column(m, q[5], from, n), f.column(m, q[6], from, n), f.column(m, q[7], from, n)
	t0, t1, t2, t3 := limit(q[0]), limit(q[1]), limit(q[2]), limit(q[3])
	t4, t5, t6, t7 := limit(q[4]), limit(q[5]), limit(q[6]), limit(q[7])
	c0, c1, c2, c3, c4, c5, c6, c7 = c0[:n], c1[:n], c2[:n], c3[:n], c4[:n], c5[:n], c6[:n], c7[:n]
	for row := 0; row+lanes <= n; row += lanes {
		leaf := ((binary.LittleEndian.Uint64(c0[row:row+8]) | tops) - t0) & tops >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c1[row:row+8])|tops)-t1)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c2[row:row+8])|tops)-t2)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c3[row:row+8])|tops)-t3)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c4[row:row+8])|tops)-t4)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c5[row:row+8])|tops)-t5)&tops) >> 1
		leaf = (leaf | ((binary.LittleEndian.Uint64(c6[row:row+8])|tops)-t6)&tops) >> 1
		leaf |= ((binary.LittleEndian.Uint64(c7[row:row+8]) | tops) - t7) & tops
		s := (*[lanes]int32)(sums[row : row+lanes])
		s[0] += int32(values[leaf&255])
		s[1] += int32(values[leaf>>8&255])
		s[2] += int32(values[leaf>>16&255])
		s[3] += int32(values[leaf>>24&255])
		s[4] += int32(values[leaf>>32&255])
		s[5] += int32(values[leaf>>40&255])
		s[6] += int32(values[leaf>>48&255])
		s[7] += int32(values[leaf>>56])
	}
}
