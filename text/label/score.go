package label

import (
	"math"
	"slices"

	"chaffinch/internal/boost"
	"chaffinch/internal/truth"
)

// MinWords is the minimum number of words of a document for a reliable score.
const MinWords = 20

// Scorer computes the probabilities of documents, one after the other. It is not safe for
// concurrent use.
type Scorer struct {
	features Features
	counts   []uint16          // occurrences by row
	rows     []uint32          // of a block in the document
	parts    [Blocks][]float32 // scores of each block, empty if unknown
	scores   []float32
	p        []float64
	// For forests: the scores before each block, the columns of the windows and their bins.
	before  [Blocks][]float32
	shares  []float32
	columns []float32
	matrix  *boost.Matrix
	bounds  *boost.Matrix // see highest
}

// NewScorer returns a scorer for any number of models.
func NewScorer() *Scorer { return &Scorer{features: *NewFeatures()} }

// Score returns the probability of each class, and reports whether the document has enough words
// for a reliable decision. The result is valid until the next call.
//
// The probability of a subclass is at most the probability of its parent.
func (s *Scorer) Score(m *Model, d Doc) (p []float64, ok bool) {
	scores := s.Raw(m, d)
	return s.Probabilities(m, scores), s.features.count >= MinWords
}

// Raw returns the score of each class before it is converted to a probability. The result is valid
// until the next call.
func (s *Scorer) Raw(m *Model, d Doc) []float32 {
	s.Linear(m, d)
	s.forests(m)
	return s.scores
}

// logs holds 1 + ln n.
var logs = func() (t [256]float32) {
	for n := 1; n < len(t); n++ {
		t[n] = float32(1 + math.Log(float64(n)))
	}
	return t
}()

// grams adds the scores of a block of n-grams to its part, which is 0.
func (s *Scorer) grams(m *Model, b Block) {
	grams := s.features.grams[b]
	if cap(s.rows) < len(grams) {
		s.rows = make([]uint32, len(grams))
	}
	rows := m.rows(s.rows[:len(grams)], grams)
	// Each row is kept where it occurs first.
	counts, n := s.counts, 0
	for _, r := range rows {
		rows[n] = r
		n += truth.Int(counts[r] == 0)
		counts[r] += uint16(truth.Int(counts[r] < uint16(len(logs)-1)))
	}
	touched := rows[:n]
	k := len(m.w.Classes)
	sums := s.parts[b][:k]
	square := float32(0)
	for _, r := range touched {
		v := logs[counts[r]] * (float32(m.w.IDF[r]) * IDFStep)
		counts[r] = 0
		square += float32(v * v)
		row := m.w.Grams[int(r)*k:][:k]
		for c, w := range row {
			sums[c] += float32(v * float32(w))
		}
	}
	if square > 0 {
		x := m.w.Scales[b] / float32(math.Sqrt(float64(square)))
		for c, sum := range sums {
			sums[c] = float32(float32(sum*x) * m.w.Unit[c])
		}
	}
}

// layoutNorm is the length of a vector with the value 1 for each statistic.
var layoutNorm = float32(math.Sqrt(Stats))

// layout adds the scores of the statistics to scores.
func (s *Scorer) layout(m *Model, scores []float32) {
	f, k := &s.features, len(m.w.Classes)
	for w, words := range f.weights {
		x := m.w.Scales[Layout] / layoutNorm * (float32(words) / float32(f.count))
		for i, v := range f.stats[w*Stats:][:Stats] {
			row := m.w.Grams[(len(m.w.IDs)+i*Steps+m.step(i, v))*k:][:k]
			for c, weight := range row {
				scores[c] += float32(float32(x*float32(weight)) * m.w.Unit[c])
			}
		}
	}
}

// Probabilities converts scores to the probability of each class. The result is valid until the
// next call.
func (s *Scorer) Probabilities(m *Model, scores []float32) []float64 {
	s.p = s.p[:0]
	for c, v := range scores {
		s.p = append(s.p, float64(m.w.Classes[c].Slope*float64(v))+m.w.Classes[c].Offset)
	}
	p := s.p
	if m.w.Several {
		for c, z := range p {
			p[c] = 1 / (1 + math.Exp(-z))
			if parent := m.w.Classes[c].Parent; parent >= 0 {
				p[c] = min(p[c], p[parent])
			}
		}
		return p
	}
	for c := range p { // the first class of each parent converts all its siblings
		if m.isFirst(c) {
			m.softmax(p, m.w.Classes[c].Parent)
		}
	}
	return p
}

// isFirst reports whether a class is the first one with its parent.
func (m *Model) isFirst(c int) bool {
	for b := range c {
		if m.w.Classes[b].Parent == m.w.Classes[c].Parent {
			return false
		}
	}
	return true
}

// softmax converts the log odds of the subclasses of a class, or of the top classes for -1, to
// probabilities. Their sum is the probability of the parent.
func (m *Model) softmax(p []float64, parent int) {
	whole, highest, sum := 1.0, math.Inf(-1), 0.0
	if parent >= 0 {
		whole = p[parent]
	}
	for c := range p {
		if m.w.Classes[c].Parent == parent {
			highest = max(highest, p[c])
		}
	}
	for c := range p {
		if m.w.Classes[c].Parent == parent {
			p[c] = math.Exp(p[c] - highest)
			sum += p[c]
		}
	}
	for c := range p {
		if m.w.Classes[c].Parent == parent {
			p[c] *= whole / sum
		}
	}
}

// Decide appends the classes of a document with the given probabilities, none for "other". A
// subclass is assigned only with its parent.
func (m *Model) Decide(p []float64, dst []int) []int {
	if m.w.Several {
		return m.decideSeveral(p, dst)
	}
	for parent := -1; ; {
		best := -1
		for c := range p {
			if m.w.Classes[c].Parent == parent && (best < 0 || p[c] > p[best]) {
				best = c
			}
		}
		if best < 0 || p[best] < m.w.Classes[best].Limit {
			return dst
		}
		dst, parent = append(dst, best), best
	}
}

func (m *Model) decideSeveral(p []float64, dst []int) []int {
	from, best := len(dst), -1
	for c, v := range p {
		parent := m.w.Classes[c].Parent
		if parent < 0 && (best < 0 || v > p[best]) {
			best = c
		}
		if v >= m.w.Classes[c].Limit && (parent < 0 || slices.Contains(dst[from:], parent)) {
			dst = append(dst, c)
		}
	}
	if len(dst) == from && m.w.Forced && best >= 0 {
		dst = append(dst, best)
		for c, v := range p {
			if m.w.Classes[c].Parent == best && v >= m.w.Classes[c].Limit {
				dst = append(dst, c)
			}
		}
	}
	return dst
}
