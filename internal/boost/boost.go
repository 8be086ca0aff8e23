// Package boost scores with forests of gradient-boosted oblivious decision trees: [Forest] returns
// the log odds of a binary class, [Classes] the scores of several classes. The features are columns
// of small integers. Package lab/train/trees trains the forests.
//
// An oblivious tree has the same split in all nodes of a level (Prokhorenkova et al., CatBoost:
// unbiased boosting with categorical features, NeurIPS 2018): "is column c, shifted by s rows,
// above t?". A tree of depth d is therefore d splits and 2^d values, and the outcomes of the splits
// are the bits of the index of the value. Eight rows are scored at once without branches.
//
// Columns hold bins ([Bin], [Binner]).
package boost

import (
	"fmt"
)

// Pad is the number of padding bytes before the first and after the last row of a column.
const Pad = 8

// MaxBins is the maximum number of bins: values are 0 to MaxBins-1.
const MaxBins = 128

// MaxDepth is the maximum depth of a tree.
const MaxDepth = 8

// Matrix holds binned columns, column-major. Every column has Rows+2*Pad bytes below MaxBins; the
// value of row i is Cols[c][Pad+i]. [Forest.Score] is faster if each column has a capacity of at
// least [SpareBytes] more bytes, of any value, as columns cut from one slice have.
type Matrix struct {
	Rows int
	Cols [][]uint8
}

// SpareBytes is the number of bytes of capacity after a column with which [Forest.Score] is fast.
const SpareBytes = wideRows

// NewMatrix returns a matrix of zeros.
func NewMatrix(rows, cols int) *Matrix {
	m := &Matrix{Rows: rows, Cols: make([][]uint8, cols)}
	all := make([]uint8, cols*(rows+2*Pad)+SpareBytes)
	for c := range m.Cols {
		m.Cols[c], all = all[:rows+2*Pad], all[rows+2*Pad:]
	}
	return m
}

// Check returns an error for columns of the wrong length and for bins that are too large.
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

// Feature is a column read at a shifted row: its value for row i is Cols[Col][Pad+i+Shift], with
// Shift in -Pad..Pad. The values of neighbouring rows thus need no additional columns. The caller
// separates rows of different origin by rows of weight 0.
type Feature struct{ Col, Shift int }

// At returns the values of the feature: element i is the value of row i.
func (f Feature) At(m *Matrix) []uint8 {
	return m.Cols[f.Col][Pad+f.Shift:][:m.Rows]
}
