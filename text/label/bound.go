package label

import (
	"math"

	"chaffinch/internal/boost"
)

// ScoreAbove is like [Scorer.Score], unless the probability of the first class is certainly below
// limit. Then it returns nil and false, and takes a half of the time.
//
// Only classes with a forest can be decided early. The forest is bounded for the exact statistics,
// for the exact scores of some blocks, and for the worst scores of all other blocks.
func (s *Scorer) ScoreAbove(m *Model, d Doc, limit float64) (p []float64, ok bool) {
	s.begin(m, d)
	if s.bounded(m) {
		s.part(m, d, Layout)
		s.part(m, d, Frames) // the fewest n-grams with the most effect on the bound
		if s.certainlyBelow(m, d, 0, limit) {
			return nil, false
		}
		s.part(m, d, Shapes)
		if s.certainlyBelow(m, d, 1, limit) {
			return nil, false
		}
	}
	s.finish(m, d)
	s.forests(m)
	return s.Probabilities(m, s.scores), s.features.count >= MinWords
}

// bounded reports whether the model and the document have a bound.
func (s *Scorer) bounded(m *Model) bool {
	return len(m.w.Forests) > 0 && m.w.Forests[0] != nil && m.w.Several && m.w.Classes[0].Slope >= 0 && m.w.Scales[Layout] > 0 && s.features.count > 0
}

// certainlyBelow reports whether the probability of the first class is certainly below limit. At
// step 0, the scores of layout and frames are known, at step 1 also the scores of shapes.
func (s *Scorer) certainlyBelow(m *Model, d Doc, step int, limit float64) bool {
	most := float64(s.highest(m.w.Forests[0], step, s.rounding(m, d)))
	p := 1 / (1 + math.Exp(-(m.w.Classes[0].Slope*most + m.w.Classes[0].Offset)))
	return p < limit-1e-9 // more than the errors of Exp
}

// rounding returns a bound of the rounding error of an addition to the sum of the blocks.
func (s *Scorer) rounding(m *Model, d Doc) float32 {
	// The weights of n features have at most the length of n of the largest weights.
	n := 4*s.features.count + Stats + len(d.Facts)
	scales := float32(0)
	for _, scale := range m.w.Scales {
		scales += scale
	}
	most := max(m.w.Bias[0], -m.w.Bias[0]) + scales*m.w.Unit[0]*-math.MinInt8*float32(math.Sqrt(float64(n)))
	return 1.1 * most * 0x1p-24
}

// columnOf returns the column of the score of a block.
func columnOf(b Block) int { return Stats + int(b) }

// highest returns an upper bound of the score of a forest. The rows of the matrix are the possible
// bins of the score of beginnings and endings of words, which many trees read.
func (s *Scorer) highest(f *Forest, step int, rounding float32) (most float32) {
	rows := len(f.cuts[columnOf(Chars)]) + 1
	if s.bounds == nil || s.bounds.Rows != rows {
		s.bounds = boost.NewMatrix(rows, Columns)
	}
	for i := range rows {
		s.bounds.Cols[columnOf(Chars)][boost.Pad+i] = uint8(i)
	}
	// A score is the difference of the sums of the blocks before and after it, which are rounded.
	adds := float32(4 + Stats*len(s.features.weights))
	framesLow, framesHigh := s.bins(f, Frames, 4*rounding)
	shapesLow, shapesHigh := s.bins(f, Shapes, 4*rounding)
	layoutLow, layoutHigh := s.bins(f, Layout, adds*rounding)
	most = float32(math.Inf(-1))
	for frames := framesLow; frames <= framesHigh; frames++ {
		s.fill(columnOf(Frames), frames)
		for shapes := shapesLow; shapes <= shapesHigh; shapes++ {
			s.fill(columnOf(Shapes), shapes)
			for layout := layoutLow; layout <= layoutHigh; layout++ {
				s.fill(columnOf(Layout), layout)
				most = max(most, s.highestRow(f, step))
			}
		}
	}
	return most
}

// bins returns the possible bins of the score of a block. An unknown score has the bin 0, which no
// tree reads.
func (s *Scorer) bins(f *Forest, b Block, slack float32) (low, high uint8) {
	part, cuts := s.parts[b], f.cuts[columnOf(b)]
	if len(part) == 0 {
		return 0, 0
	}
	return boost.Bin(part[0]-slack, cuts), boost.Bin(part[0]+slack, cuts)
}

// fill sets a column to a bin.
func (s *Scorer) fill(column int, bin uint8) {
	col := s.bounds.Cols[column][boost.Pad:][:s.bounds.Rows]
	for i := range col {
		col[i] = bin
	}
}

// highestRow returns the highest score of the document in the rows of the matrix.
func (s *Scorer) highestRow(f *Forest, step int) float32 {
	var out, sums [boost.MaxBins]float32
	for w, words := range s.features.weights {
		for c, v := range s.features.stats[w*Stats:][:Stats] {
			s.fill(c, boost.Bin(v, f.cuts[c]))
		}
		f.upper[step]().Score(s.bounds, out[:])
		share := float32(words) / float32(s.features.count)
		for i := range s.bounds.Rows {
			sums[i] += float32(out[i] * share)
		}
	}
	most := sums[0]
	for _, sum := range sums[1:s.bounds.Rows] {
		most = max(most, sum)
	}
	return most
}
