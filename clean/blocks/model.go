package blocks

import (
	"encoding/json"
	"slices"
	"strings"

	"chaffinch/internal/boost"
)

// Model is a trained labeller of blocks. It is read-only.
type Model struct {
	policies    []string
	attr, words *linear
	pages       *pageModel
	cuts        [columns][]float32
	keep        *boost.Forest
	more        *boost.Forest   // added to keep by Adapt, else nil
	comment     *boost.Forest   // nil if no page with comments was seen
	used        []column        // that a forest looks at
	binners     []*boost.Binner // one for each of these
	card        json.RawMessage
}

// Policies returns the names of the policies that the model has learned.
func (m *Model) Policies() []string { return append([]string(nil), m.policies...) }

// Card returns the model card.
func (m *Model) Card() json.RawMessage { return m.card }

// policy returns the number of the first policy of a list with commas that the
// model has learned, -1 for none.
func (m *Model) policy(names string) int {
	for n := range strings.SplitSeq(names, ",") {
		if i := slices.Index(m.policies, n); i >= 0 {
			return i
		}
	}
	return -1
}

// scratch is what is needed to label a page. It is reused.
type scratch struct {
	sheet         sheet
	matrix        boost.Matrix
	bins          []uint8
	keep, comment []float32 // probabilities
	order         []int32
	kept          []bool
	causes        []cause
}

// score sets the probabilities of the blocks of s.sheet.
func (m *Model) score(s *scratch) {
	n := s.sheet.n
	m.bin(s)
	s.keep = grow(s.keep, n)
	s.comment = grow(s.comment, n)
	m.keep.Score(&s.matrix, s.keep)
	if m.more != nil {
		s.comment = grow(s.comment, n)
		m.more.Score(&s.matrix, s.comment)
		for i, z := range s.comment {
			s.keep[i] += z
		}
	}
	for i, z := range s.keep {
		s.keep[i] = sigmoid(z)
	}
	if m.comment == nil {
		clear(s.comment)
		return
	}
	m.comment.Score(&s.matrix, s.comment)
	for i, z := range s.comment {
		s.comment[i] = sigmoid(z)
	}
}

// bin fills s.matrix with the columns that the forests look at.
func (m *Model) bin(s *scratch) {
	n := s.sheet.n
	width := n + 2*boost.Pad
	s.bins = grow(s.bins, width*len(m.used))
	clear(s.bins)
	s.matrix.Rows = n
	s.matrix.Cols = grow(s.matrix.Cols, int(columns))
	for k, c := range m.used {
		col := s.bins[k*width : (k+1)*width]
		s.matrix.Cols[c] = col
		m.binners[k].Bin(col[boost.Pad:boost.Pad+n], s.sheet.col(c))
	}
}

// prepare notes the columns that the forests look at.
func (m *Model) prepare() {
	m.used, m.binners = columnsUsed(m.keep, m.comment, m.more), nil
	for _, c := range m.used {
		m.binners = append(m.binners, boost.NewBinner(m.cuts[c]))
	}
}

// columnsUsed lists the columns that forests look at, in rising order.
func columnsUsed(forests ...*boost.Forest) (used []column) {
	var seen [columns]bool
	for _, f := range forests {
		if f == nil {
			continue
		}
		for _, x := range f.Used() {
			seen[x.Col] = true
		}
	}
	for c, yes := range seen {
		if yes {
			used = append(used, column(c))
		}
	}
	return used
}

// grow returns s with length n; the elements have any value.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
