package boost

import (
	"cmp"
	"math"
	"slices"
)

// Forest is a trained sum of trees for one binary class. It is safe for concurrent use.
type Forest struct {
	splits
	base   float32    // log odds before any tree
	scale  float32    // log odds per step of a leaf value
	values []int16    // of all trees, 2^depth each
	wide   []wideTree // the same trees for addWide; nil if it does not support them
}

// level is a split on one of the features of a forest.
type level struct {
	feature   uint16
	threshold uint8
}

// Tree is one tree in full precision. [NewForest] and [NewClasses] pack trees for scoring.
type Tree struct {
	Levels []Split
	// Values holds one value for each leaf, 2^len(Levels) values. For several classes it holds one
	// value for each leaf and class.
	Values []float64
}

// Split reports whether the value of a feature is above a threshold.
type Split struct {
	Feature   int // index in the list of features
	Threshold uint8
}

// NewForest packs trees that use some of the features. base is the log odds before any tree.
func NewForest(features []Feature, trees []Tree, base float32) *Forest {
	f := &Forest{splits: newSplits(features, trees), base: base}
	var high float64
	for _, t := range trees {
		for _, v := range t.Values {
			high = max(high, math.Abs(v))
		}
	}
	if f.scale = float32(high / math.MaxInt16); f.scale == 0 {
		f.scale = 1
	}
	for _, t := range trees {
		for _, v := range t.Values {
			step := math.Round(v / float64(f.scale))
			f.values = append(f.values, int16(min(max(step, -math.MaxInt16), math.MaxInt16)))
		}
	}
	f.layOut()
	return f
}

// splits holds the splits of the trees of a forest.
type splits struct {
	features []Feature // ordered by column and shift
	depths   []uint8
	levels   []level // of all trees in sequence
}

// newSplits returns the splits of trees, with only the features that they use.
func newSplits(features []Feature, trees []Tree) (s splits) {
	for _, t := range trees {
		for _, q := range t.Levels {
			s.features = append(s.features, features[q.Feature])
		}
	}
	slices.SortFunc(s.features, compare)
	s.features = slices.Compact(s.features)
	for _, t := range trees {
		s.depths = append(s.depths, uint8(len(t.Levels)))
		for _, q := range t.Levels {
			k, _ := slices.BinarySearchFunc(s.features, features[q.Feature], compare)
			s.levels = append(s.levels, level{uint16(k), q.Threshold})
		}
	}
	return s
}

// Trees returns the number of trees.
func (s *splits) Trees() int { return len(s.depths) }

// Used returns the features that the forest uses, ordered by column and shift.
func (s *splits) Used() []Feature { return slices.Clone(s.features) }

// Columns returns the number of columns that a matrix needs for Score.
func (s *splits) Columns() int {
	if len(s.features) == 0 {
		return 0
	}
	return s.features[len(s.features)-1].Col + 1
}

// column returns n values of the feature of a split.
func (s *splits) column(m *Matrix, q level, from, n int) []uint8 {
	ft := s.features[q.feature]
	return m.Cols[ft.Col][Pad+ft.Shift+from:][:n]
}

func compare(a, b Feature) int {
	return cmp.Or(cmp.Compare(a.Col, b.Col), cmp.Compare(a.Shift, b.Shift))
}

// Base returns the log odds that every row starts from. It is 0 for a forest that was trained with
// base values.
func (f *Forest) Base() float32 { return f.base }

// Parts returns the arguments of [NewForest]: the features that the forest uses, its trees, and the
// log odds before any tree. Leaf values are rounded to steps of the scale.
func (f *Forest) Parts() (features []Feature, trees []Tree, base float32) {
	levels, values := f.levels, f.values
	for _, depth := range f.depths {
		var t Tree
		for _, q := range levels[:depth] {
			t.Levels = append(t.Levels, Split{int(q.feature), q.threshold})
		}
		for _, v := range values[:1<<depth] {
			t.Values = append(t.Values, float64(v)*float64(f.scale))
		}
		trees = append(trees, t)
		levels, values = levels[depth:], values[1<<depth:]
	}
	return slices.Clone(f.features), trees, f.base
}
