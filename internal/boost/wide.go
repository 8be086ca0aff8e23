package boost

// Where the processor has vectors of 32 bytes, a forest of trees of at most wideDepth levels
// is applied to wideRows rows at once: the index of the leaf is a byte for each row, and so
// are the two halves of its value, which one instruction looks up in tables of 16 bytes.
// The sums are those of [Forest.scoreRow].
const (
	wideRows     = 32
	wideDepth    = 5
	wideTrees    = 256  // that are added up at once: sums of so many bytes fit into 16 bits
	wideFeatures = 1024 // the most that a forest may ask for
)

// wideTree is a tree as addWide reads it. Levels that it lacks are answered with no.
type wideTree struct {
	thresholds [wideDepth][4]uint8 // each four times
	features   [wideDepth]uint16
	_          uint16
	// The halves of the values of the leaves, the upper ones 128 more, so that none is below 0.
	low, high [1 << wideDepth]uint8
}

// wideSums are the sums over trees for wideRows rows: of the lower halves of the values and of
// the upper ones, in each those of two neighbouring rows as one number, modulo 1<<16, and those of the odd
// rows alone.
type wideSums struct{ low, lowOdd, high, highOdd [wideRows / 2]uint16 }

// of returns the sum of values of row i over so many trees.
func (s *wideSums) of(i, trees int) int32 {
	k := i / 2
	low, high := s.lowOdd[k], s.highOdd[k]
	if i%2 == 0 {
		low, high = s.low[k]-low<<8, s.high[k]-high<<8
	}
	return int32(low) + (int32(high)-128*int32(trees))<<8
}

// layOut prepares the trees for addWide, if all of them are of a kind that it knows.
func (f *Forest) layOut() {
	f.wide = nil
	if !vectors || len(f.features) == 0 || len(f.features) > wideFeatures {
		return
	}
	wide := make([]wideTree, len(f.depths))
	levels, values := f.levels, f.values
	for i, depth := range f.depths {
		if depth > wideDepth {
			return
		}
		t := &wide[i]
		for l := range t.thresholds {
			q := level{0, never}
			if l < int(depth) {
				q = levels[l]
			}
			t.features[l] = q.feature
			t.thresholds[l] = [4]uint8{q.threshold, q.threshold, q.threshold, q.threshold}
		}
		for leaf, v := range values[:1<<depth] {
			t.low[leaf], t.high[leaf] = uint8(v), uint8(v>>8)+128
		}
		levels, values = levels[depth:], values[1<<depth:]
	}
	f.wide = wide
}

// scoreWide is Score for a forest that layOut has prepared. It reports false, with nothing
// done, if some column has no room for whole groups of wideRows rows.
func (f *Forest) scoreWide(m *Matrix, dst []float32) bool {
	if m.Rows == 0 {
		return true
	}
	var at [wideFeatures]*uint8
	room := (m.Rows + wideRows - 1) &^ (wideRows - 1)
	for i, ft := range f.features {
		col, from := m.Cols[ft.Col], Pad+ft.Shift
		if cap(col) < from+room {
			return false
		}
		at[i] = &col[from]
	}
	var s wideSums
	for row := 0; row < m.Rows; row += wideRows {
		var sums [wideRows]int32
		for from := 0; from < len(f.wide); from += wideTrees {
			n := min(wideTrees, len(f.wide)-from)
			addWide(&s, &f.wide[from], n, &at[0], row)
			for i := range sums {
				sums[i] += s.of(i, n)
			}
		}
		for i, sum := range sums[:min(wideRows, m.Rows-row)] {
			dst[row+i] = f.base + float32(f.scale*float32(sum))
		}
	}
	return true
}
