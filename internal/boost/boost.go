// Package boost trains and applies gradient boosted oblivious decision trees
// for the probability of a yes, from columns of small whole numbers.
//
// # Trees
//
// A forest is a sum of trees, each fitted to the gradient of the loss at the
// sum before it (Friedman, Greedy function approximation: a gradient boosting
// machine, Ann. Statist. 29, 2001). An oblivious tree asks the same question
// in all nodes of a level (Prokhorenkova et al., CatBoost: unbiased boosting
// with categorical features, NeurIPS 2018): "is column c, at the row s rows
// further on, above t?". So a tree of depth d is d questions and 2^d values,
// the answers are the bits of the index of the value, and eight rows are
// scored at once without a branch.
//
// The loss of a row with weight w, target y in 0..1 and log odds z is
// -w (y ln p + (1-y) ln(1-p)), p = 1/(1+exp(-z)). Its negative gradient is
// g = w(y-p), its second derivative h = wp(1-p). With G and H their sums in a
// leaf, the value of the leaf is Rate G/(H+Lambda), a Newton step, and a level
// takes the question with the highest sum of G^2/(H+Lambda) over the leaves it
// makes.
//
// # Training
//
// Columns hold bins ([Cuts], [Bin]), so that a level needs, per feature, only
// the sums of g and h by (leaf, bin): histograms, as in Ke et al., LightGBM: a
// highly efficient gradient boosting decision tree, NeurIPS 2017. Of two
// siblings only the smaller one is counted; the other is its parent minus it.
// A histogram cell is one int64: g in whole steps in the upper half, h in the
// lower one, with steps so small that no sum of either can leave its half (see
// gauge). Whole numbers add up to the same in every order, so a forest does
// not depend on the number of workers; and a row costs one addition per
// feature.
package boost

import (
	"fmt"
	"math"
)

// Pad is the number of bytes before the first and after the last row of a
// column.
const Pad = 8

// MaxBins is the largest number of bins: values are 0..MaxBins-1.
const MaxBins = 128

// MaxDepth is the largest depth of a tree.
const MaxDepth = 8

// Matrix holds binned columns, column-major. Every column has Rows+2*Pad bytes
// below MaxBins; the value of row i stands at Cols[c][Pad+i]. Where columns have a capacity of
// Room bytes more, of any value, as those have that stand one after another in one slice,
// [Forest.Score] is faster.
type Matrix struct {
	Rows int
	Cols [][]uint8
}

// Room is what a column should have behind it for [Forest.Score] to be fast, in bytes.
const Room = wideRows

// NewMatrix returns a matrix of zeros.
func NewMatrix(rows, cols int) *Matrix {
	m := &Matrix{Rows: rows, Cols: make([][]uint8, cols)}
	all := make([]uint8, cols*(rows+2*Pad)+Room)
	for c := range m.Cols {
		m.Cols[c], all = all[:rows+2*Pad], all[rows+2*Pad:]
	}
	return m
}

// check tells what is wrong with the columns of m.
func (m *Matrix) check() error {
	for c, col := range m.Cols {
		if len(col) != m.Rows+2*Pad {
			return fmt.Errorf("boost: column %d has %d bytes, wanted %d: rows plus %d on each side", c, len(col), m.Rows+2*Pad, Pad)
		}
		for i, v := range col {
			if v >= MaxBins {
				return fmt.Errorf("boost: column %d, row %d: bin %d, wanted at most %d: bin with fewer cuts", c, i-Pad, v, MaxBins-1)
			}
		}
	}
	return nil
}

// Feature is a column read at a shifted row: its value for row i is
// Cols[Col][Pad+i+Shift], with Shift in -Pad..Pad. So what the neighbours of a
// row are like costs no columns of its own. Where rows of different origin
// meet, the caller keeps them apart by rows of weight 0.
type Feature struct{ Col, Shift int }

// at returns the values of the feature: element i is that of row i.
func (f Feature) at(m *Matrix) []uint8 {
	return m.Cols[f.Col][Pad+f.Shift:][:m.Rows]
}

// Config says how to train.
type Config struct {
	// Trees is the number of trees, Depth the number of their levels, 1 to
	// MaxDepth. Training ends early when no level gains anything.
	Trees, Depth int
	// Rate scales the value of every leaf (shrinkage).
	Rate float64
	// Lambda is added to the sum of second derivatives of a leaf: the larger,
	// the closer to 0 are leaves of little weight.
	Lambda float64
	// MinWeight is the least sum of second derivatives on both sides of a
	// question for a leaf to count towards its gain.
	MinWeight float64
	// ColSample is the share of features that a tree chooses from, RowSample
	// the share of rows of which its questions are found, both in (0, 1].
	ColSample, RowSample float64
	// Seed makes the samples. The same seed makes the same forest.
	Seed uint64
	// Workers is the number of goroutines, 0 for one per processor. It does
	// not change the forest.
	Workers int
}

// defaults is a good start for a million rows.
var defaults = Config{Trees: 300, Depth: 6, Rate: .1, Lambda: 10, MinWeight: 1, ColSample: .2, RowSample: .5, Seed: 1}

func (c Config) check() error {
	switch {
	case c.Trees < 1:
		return fmt.Errorf("boost: %d trees, wanted at least 1", c.Trees)
	case c.Depth < 1 || c.Depth > MaxDepth:
		return fmt.Errorf("boost: depth %d, wanted 1 to %d", c.Depth, MaxDepth)
	case !(c.Rate > 0) || math.IsInf(c.Rate, 1):
		return fmt.Errorf("boost: rate %v, wanted above 0, such as 0.1", c.Rate)
	case !(c.Lambda >= 0) || math.IsInf(c.Lambda, 1):
		return fmt.Errorf("boost: lambda %v, wanted 0 or more", c.Lambda)
	case !(c.MinWeight >= 0) || math.IsInf(c.MinWeight, 1):
		return fmt.Errorf("boost: minimum weight %v, wanted 0 or more", c.MinWeight)
	case !(c.ColSample > 0 && c.ColSample <= 1):
		return fmt.Errorf("boost: share of columns %v, wanted above 0, at most 1", c.ColSample)
	case !(c.RowSample > 0 && c.RowSample <= 1):
		return fmt.Errorf("boost: share of rows %v, wanted above 0, at most 1", c.RowSample)
	case c.Workers < 0:
		return fmt.Errorf("boost: %d workers, wanted 0 or more", c.Workers)
	}
	return nil
}
