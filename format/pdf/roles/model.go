package roles

import (
	"fmt"

	"chaffinch/internal/boost"
)

// Bins is the largest number of bins of a column.
const Bins = 32

// Model predicts roles. It is read-only and safe for concurrent use.
type Model struct {
	cuts   [][]float32 // of each column
	forest boost.Classes
}

// New returns a model of the cuts of each column and a forest as boost.Classes writes it.
func New(cuts [][]float32, forest []byte) (*Model, error) {
	m := &Model{cuts: cuts}
	if err := m.forest.UnmarshalBinary(forest); err != nil {
		return nil, err
	}
	return m, m.check()
}

// check returns an error if the parts of m do not fit each other.
func (m *Model) check() error {
	switch {
	case len(m.cuts) != int(Columns):
		return fmt.Errorf("roles: %d columns (wanted %d)", len(m.cuts), Columns)
	case m.forest.Columns() > int(Columns):
		return fmt.Errorf("roles: a tree reads column %d (wanted less than %d)", m.forest.Columns()-1, Columns)
	case m.forest.Classes() != int(Count):
		return fmt.Errorf("roles: %d classes (wanted %d)", m.forest.Classes(), Count)
	}
	return nil
}

// caution is subtracted from the score of Other, which is dropped: it must be twice as likely as
// any other role.
const caution = .7

// Predict returns the role of each paragraph. Roles that the document states remain. So do tables,
// unless they are contents or references, and notes and captions of the rules where the model
// predicts text: its training documents have few.
func (m *Model) Predict(d *Document) []Role {
	n := len(d.Paragraphs)
	scores := m.scores(Features(d), n)
	out := make([]Role, n)
	for i := range out {
		z := scores[i*int(Count):][:Count]
		z[Other] -= caution
		for r := range Count {
			if z[r] > z[out[i]] {
				out[i] = r
			}
		}
		if p := &d.Paragraphs[i]; p.Stated || remains(p.Rule, out[i]) {
			out[i] = p.Rule
		}
	}
	return out
}

// remains reports whether the role of the rules remains where the model predicts another one.
func remains(rule, predicted Role) bool {
	switch rule {
	case Table:
		return predicted != Contents && predicted != References
	case Note, Caption:
		return predicted == Body
	}
	return false
}

// scores returns a score of each role for each of n rows of features.
func (m *Model) scores(rows []float32, n int) []float32 {
	x := boost.NewMatrix(n, int(Columns))
	for c, k := range m.cuts {
		for i := range n {
			x.Cols[c][boost.Pad+i] = boost.Bin(rows[i*int(Columns)+c], k)
		}
	}
	out := make([]float32, n*int(Count))
	m.forest.Score(x, out)
	return out
}
