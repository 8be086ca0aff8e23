// Package boost applies forests of gradient boosted oblivious decision trees: the probability of
// a yes, or of each of several classes, from columns of small whole numbers. Package
// lab/train/trees trains them.
//
// An oblivious tree asks the same question in all nodes of a level (Prokhorenkova et al.,
// CatBoost: unbiased boosting with categorical features, NeurIPS 2018): "is column c, at the row s
// rows further on, above t?". So a tree of depth d is d questions and 2^d values, the answers are
// the bits of the index of the value, and eight rows are scored at once without a branch.
//
// Columns hold bins ([Bin], [Binner]).
package boost

import (
	"fmt"
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

// Check reports columns of the wrong length and bins that are too large.
func (m *Matrix) Check() error {
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

// At returns the values of the feature: element i is the value of row i.
func (f Feature) At(m *Matrix) []uint8 {
	return m.Cols[f.Col][Pad+f.Shift:][:m.Rows]
}
