package boost

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestUpper compares each tree with the maximum over its leaves, and scores with the upper bound.
func TestUpper(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	for _, depth := range []int{0, 1, 3, 5, 8} {
		f := anyForest(rng, 30, depth, 4)
		if depth == 3 {
			f.scale = -f.scale // a damaged file
		}
		without := []int{1, 3}
		u := f.Upper(without...)
		m := anyMatrix(rng, 40, 4)
		got := make([]float32, m.Rows)
		u.Score(m, got)
		for i, z := range got {
			want := f.base + float32(f.scale*float32(f.upperPlain(m, i, without)))
			if z != want {
				t.Fatalf("depth %d, row %d: %v, wanted %v", depth, i, z, want)
			}
			if low := f.scoreRow(m, i); z < low {
				t.Fatalf("depth %d, row %d: bound %v of %v", depth, i, z, low)
			}
		}
	}
}

// upperPlain returns the sum of the highest values, leaf by leaf.
func (f *Forest) upperPlain(m *Matrix, row int, without []int) (sum int) {
	levels, values := f.levels, f.values
	for _, depth := range f.depths {
		var some []int
		for leaf, v := range values[:1<<depth] {
			reached := true
			for l, q := range levels[:depth] {
				ft := f.features[q.feature]
				above := m.Cols[ft.Col][Pad+ft.Shift+row] > q.threshold
				reached = reached && (slices.Contains(without, ft.Col) || above == (leaf>>l&1 == 1))
			}
			if reached {
				some = append(some, int(v))
			}
		}
		if sum += slices.Max(some); f.scale < 0 {
			sum += slices.Min(some) - slices.Max(some)
		}
		levels, values = levels[depth:], values[1<<depth:]
	}
	return sum
}
