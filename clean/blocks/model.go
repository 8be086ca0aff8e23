package blocks

import (
	"encoding/json"
	"math"

	"chaffinch/internal/boost"
	"chaffinch/page"
)

// Model is a trained model of blocks. It is read-only.
type Model struct {
	linears    *linears
	pages      *pageTokens
	cuts       [columns][]float32
	known      int // number of columns in training, a prefix of all columns
	roles      *boost.Classes
	more       *boost.Forest   // added to the log odds of wanted roles, set by Adapt, or nil
	lean       []float32       // added to the log odds of the roles, set by Tune, or nil
	used       []column        // columns that the forests read
	wanted     [columns]bool   // used columns, and columns that labels need
	binners    []*boost.Binner // one for each used column
	confidence *confidence     // confidence of pages, or nil
	types      *types          // types of pages, or nil
	card       json.RawMessage
}

// Card returns the model card.
func (m *Model) Card() json.RawMessage { return m.card }

// scratch holds the reusable buffers of labelling a page.
type scratch struct {
	sheet      sheet
	matrix     boost.Matrix
	types      typeOdds
	bins       []uint8
	roles      []float32 // probabilities by block and role
	remarks    []float64 // by kind of record, the probability of comments
	keep, more []float32 // probability of a wanted role; log odds to add
	order      []uint64  // see rank
	kept       []bool
	causes     []cause
	residue    []bool         // set by settleResidue
	boards     []bool         // set by boardPosts, by element
	revealed   []bool         // set by reveal
	streams    []int32        // blocks of streams
	consent    []int32        // blocks about consent
	about      []consentStats // by element

	// Buffers of dropCopies: the kept blocks; for each, the previous index in shown of the
	// same text, or -1; for each text, its last index in shown plus one.
	shown, before, latest []int32
}

// score sets the role probabilities of the blocks of s.sheet.
func (m *Model) score(s *scratch) {
	m.bin(s)
	n, k := s.sheet.n, Roles
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

// keep sets the probability of each block that it has one of the wanted roles.
func (m *Model) keep(s *scratch, want page.Roles) {
	n, k := s.sheet.n, Roles
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

// bin fills s.matrix with the columns that the forests read.
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
		values, bins := s.sheet.col(c), col[boost.Pad:boost.Pad+n]
		if s.sheet.same[c] {
			b := boost.Bin(values[0], m.cuts[c])
			for i := range bins {
				bins[i] = b
			}
			continue
		}
		m.binners[k].Bin(bins, values)
	}
}

// prepare records the columns that the forests read.
func (m *Model) prepare() {
	m.used, m.binners = columnsUsed(m.roles, m.more), nil
	m.wanted = [columns]bool{colAttr: true, colLexical: true}
	for _, c := range typeColumns {
		m.wanted[c] = true
	}
	for _, c := range m.used {
		m.wanted[c] = true
		m.binners = append(m.binners, boost.NewBinner(m.cuts[c]))
	}
}

// columnsUsed returns the columns that the forests read, in ascending order.
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

// grow returns s with length n. The elements are unspecified.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func sigmoid(z float32) float32 { return float32(1 / (1 + math.Exp(-float64(z)))) }
