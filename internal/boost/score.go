package boost

import "encoding/binary"

const (
	ones  = 0x0101010101010101
	tops  = 0x8080808080808080
	lanes = 8 // rows scored at once
	// blockRows is the number of rows that one tree after another is applied
	// to; their sums stay in the cache of first level.
	blockRows = 512
)

// Score sets dst[i] to the log odds of row i of m, which needs Columns
// columns. Bins above MaxBins-1 make the scores of their rows meaningless.
func (f *Forest) Score(m *Matrix, dst []float32) {
	dst = dst[:m.Rows]
	if m.Rows < lanes {
		for i := range dst {
			dst[i] = f.scoreRow(m, i)
		}
		return
	}
	for from := 0; from < m.Rows; from += blockRows {
		f.scoreBlock(m, dst, from, min(m.Rows, from+blockRows))
	}
}

// scoreRow scores one row, without tricks.
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
	return f.base + f.scale*float32(sum)
}

// scoreBlock scores rows from..to-1 of a matrix of at least lanes rows. The
// last group of rows overlaps the one before it if it would be too short.
func (f *Forest) scoreBlock(m *Matrix, dst []float32, from, to int) {
	var sums [blockRows]int32
	var cols [MaxDepth][]uint8
	var limits [MaxDepth]uint64
	groups := (to - from + lanes - 1) / lanes
	last := m.Rows - lanes
	levels, values := f.levels, f.values
	for _, depth := range f.depths {
		for l, q := range levels[:depth] {
			ft := f.features[q.feature]
			cols[l] = m.Cols[ft.Col][Pad+ft.Shift:]
			limits[l] = (uint64(q.threshold) + 1) * ones
		}
		table := values[:1<<depth]
		for k := range groups {
			row := min(from+k*lanes, last)
			var leaf uint64
			for l := range int(depth) {
				// With the top bit set, byte minus limit keeps it exactly
				// if the byte is above the threshold.
				x := binary.LittleEndian.Uint64(cols[l][row:])
				leaf |= ((x | tops) - limits[l]) & tops >> (7 - l)
			}
			out := sums[k*lanes:][:lanes]
			for j := range out {
				out[j] += int32(table[uint8(leaf>>(8*j))])
			}
		}
		levels, values = levels[depth:], values[1<<depth:]
	}
	for k := range groups {
		row := min(from+k*lanes, last)
		for j := range lanes {
			dst[row+j] = f.base + f.scale*float32(sums[k*lanes+j])
		}
	}
}
