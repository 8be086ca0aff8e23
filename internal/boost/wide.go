package boost

// On processors with 32-byte vectors, a forest of trees of at most wideDepth levels is applied to
// wideRows rows at once. The index of the leaf is one byte for each row. Each of the two bytes of a
// leaf value is looked up in tables of 16 bytes with one instruction. The sums equal the sums of
// [Forest.scoreRow].
const (
	wideRows     = 32
	wideDepth    = 5
	wideTrees    = 256  // added at once: sums of this many bytes fit into 16 bits
	wideFeatures = 1024 // maximum number of features
)

// wideTree is a tree in the layout that addWide reads. Missing levels get a split that is always
// false.
type wideTree struct {
	thresholds [wideDepth][4]uint8 // each four times
	features   [wideDepth]uint16
	_          uint16
	// The bytes of the leaf values. 128 is added to the upper ones, which makes them non-negative.
	low, high [1 << wideDepth]uint8
}

// wideSums holds sums over trees for wideRows rows: of the lower bytes of the values and of the
// upper bytes. low and high hold two adjacent rows as one number modulo 1<<16; lowOdd and highOdd
// hold the odd rows alone.
type wideSums struct{ low, lowOdd, high, highOdd [wideRows / 2]uint16 }

// of returns the sum of the values of row i over the given number of trees.
func (s *wideSums) of(i, trees int) int32 {
	k := i / 2
	low, high := s.lowOdd[k], s.highOdd[k]
	if i%2 == 0 {
		low, high = s.low[k]-low<<8, s.high[k]-high<<8
	}
	return int32(low) + (int32(high)-128*int32(trees))<<8
}

// layOut prepares the trees for addWide if it supports all of them.
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

// scoreWide is Score for a forest that layOut has prepared. It reports whether every column has
// capacity for complete groups of wideRows rows; otherwise it does nothing.
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
