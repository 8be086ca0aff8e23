package blocks

import (
	"encoding/json"
	"math"

	"chaffinch/internal/boost"
	"chaffinch/page"
)

// Model is a trained labeller of blocks. It is read-only.
type Model struct {
	attr, words *Linear
	hints       *Hints // nil in models that have none
	pages       *PageModel
	cuts        [columns][]float32
	known       int // columns that the training knew, the first of all
	roles       *boost.Classes
	more        *boost.Forest   // added to the log odds of what is wanted by Adapt, else nil
	lean        []float32       // added to the log odds of the roles by Tune, else nil
	used        []column        // that a forest looks at
	wanted      [columns]bool   // these, and what labels need beside them
	binners     []*boost.Binner // one for each of these
	confidence  *confidence     // of pages, else nil
	card        json.RawMessage
}

// Card returns the model card.
func (m *Model) Card() json.RawMessage { return m.card }

// scratch is what is needed to label a page. It is reused.
type scratch struct {
	sheet      sheet
	matrix     boost.Matrix
	bins       []uint8
	roles      []float32 // probabilities by block and role
	remarks    []float64 // by kind of records: the probability that they are comments
	keep, more []float32 // probability of a wanted role; log odds that are added
	order      []uint64  // see rank
	kept       []bool
	causes     []cause
	residue    []bool // of settleResidue

	// Of dropCopies: the kept blocks; where in shown the text of each stands before, -1 for
	// nowhere; where in shown each text stood last, plus one.
	shown, before, latest []int32
}

// score sets the probabilities of the roles of the blocks of s.sheet.
func (m *Model) score(s *scratch) {
	m.bin(s)
	n, k := s.sheet.n, page.RoleCount
	s.roles = grow(s.roles, n*k)
	m.roles.Score(&s.matrix, s.roles)
	probabilities(s.roles, s.sheet.blocks)
	s.settleRemarks()
	m.tilt(s.roles)
	if m.more != nil {
		s.more = grow(s.more, n)
		m.more.Score(&s.matrix, s.more)
	}
}

// keep sets the probabilities that the blocks have one of the wanted roles.
func (m *Model) keep(s *scratch, want page.Roles) {
	n, k := s.sheet.n, page.RoleCount
	s.keep = grow(s.keep, n)
	for i := range n {
		s.keep[i] = Probability(s.roles[i*k:(i+1)*k], want)
		if m.more != nil {
			s.keep[i] = sigmoid(logit(s.keep[i]) + s.more[i])
		}
	}
}

// logit returns the log odds of a probability.
func logit(p float32) float32 {
	const least = 1e-6
	x := min(max(float64(p), least), 1-least)
	return float32(math.Log(x / (1 - x)))
}

// bin fills s.matrix with the columns that the forests look at.
func (m *Model) bin(s *scratch) {
	n := s.sheet.n
	width := n + 2*boost.Pad
	s.bins = grow(s.bins, width*len(m.used))
	s.matrix.Rows = n
	s.matrix.Cols = grow(s.matrix.Cols, int(columns))
	for k, c := range m.used {
		col := s.bins[k*width : (k+1)*width]
		s.matrix.Cols[c] = col
		clear(col[:boost.Pad])
		clear(col[boost.Pad+n:])
		m.binners[k].Bin(col[boost.Pad:boost.Pad+n], s.sheet.col(c))
	}
}

// prepare notes the columns that the forests look at.
func (m *Model) prepare() {
	m.used, m.binners = columnsUsed(m.roles, m.more), nil
	m.wanted = [columns]bool{colAttr: true, colLexical: true}
	for c := colPageArticle; c <= colPageLists; c++ {
		m.wanted[c] = true
	}
	for _, c := range m.used {
		m.wanted[c] = true
		m.binners = append(m.binners, boost.NewBinner(m.cuts[c]))
	}
}

// columnsUsed lists the columns that forests look at, in rising order.
func columnsUsed(roles *boost.Classes, more *boost.Forest) (used []column) {
	features := roles.Used()
	if more != nil {
		features = append(features, more.Used()...)
	}
	var seen [columns]bool
	for _, x := range features {
		seen[x.Col] = true
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

func sigmoid(z float32) float32 { return float32(1 / (1 + math.Exp(-float64(z)))) }
