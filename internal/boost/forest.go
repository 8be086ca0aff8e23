package boost

import (
	"cmp"
	"math"
	"slices"
)

// Forest is a trained sum of trees. It is safe for concurrent use.
type Forest struct {
	base     float32 // log odds without any tree
	scale    float32 // log odds per step of a leaf value
	features []Feature
	depths   []uint8
	levels   []level    // of all trees, one tree after another
	values   []int16    // of all trees, 2^depth each
	wide     []wideTree // the same trees for addWide; nil where it does not know them
	gain     []float64
	asked    []Feature // the features that gain is about
}

// level is a question about one of the features of a forest.
type level struct {
	feature   uint16
	threshold uint8
}

// newForest packs trees that ask for some of the features.
func newForest(features []Feature, trees []tree, base float32) *Forest {
	f := &Forest{base: base, asked: features}
	var high float64
	for _, t := range trees {
		for _, v := range t.values {
			high = max(high, math.Abs(v))
		}
	}
	if f.scale = float32(high / math.MaxInt16); f.scale == 0 {
		f.scale = 1
	}
	for _, t := range trees {
		for _, q := range t.levels {
			f.features = append(f.features, features[q.feature])
		}
	}
	slices.SortFunc(f.features, compare)
	f.features = slices.Compact(f.features)
	for _, t := range trees {
		f.depths = append(f.depths, uint8(len(t.levels)))
		for _, q := range t.levels {
			k, _ := slices.BinarySearchFunc(f.features, features[q.feature], compare)
			f.levels = append(f.levels, level{uint16(k), q.threshold})
		}
		for _, v := range t.values {
			step := math.Round(v / float64(f.scale))
			f.values = append(f.values, int16(min(max(step, -math.MaxInt16), math.MaxInt16)))
		}
	}
	f.layOut()
	return f
}

func compare(a, b Feature) int {
	return cmp.Or(cmp.Compare(a.Col, b.Col), cmp.Compare(a.Shift, b.Shift))
}

// Base returns the log odds that every row starts from: 0 for a forest that
// was trained with base values.
func (f *Forest) Base() float32 { return f.base }

// Trees returns the number of trees.
func (f *Forest) Trees() int { return len(f.depths) }

// Used returns the features that the forest asks for, by column and shift.
func (f *Forest) Used() []Feature { return slices.Clone(f.features) }

// Columns returns the number of columns that a matrix needs for Score.
func (f *Forest) Columns() int {
	if len(f.features) == 0 {
		return 0
	}
	return f.features[len(f.features)-1].Col + 1
}

// Gain returns, for each feature given to Train, the loss that it took away:
// half the sum of the gains of its questions. It is known only to a forest
// that was trained, not to one that was read.
func (f *Forest) Gain() ([]Feature, []float64) {
	gain := slices.Clone(f.gain)
	for i := range gain {
		gain[i] /= 2
	}
	return slices.Clone(f.asked), gain
}
