package blocks

// Slabs is the number of slabs of a linear model.
const Slabs = 3

// Linear is a logistic regression of kept text over hashed tokens. Its first slab holds the
// weights for all policies, the others the weights for [Main] and [Article]. Training uses
// one more slab for each annotation convention, which absorbs the convention's
// peculiarities.
type Linear struct {
	Bias  float32
	Slabs []Slab
}

// Slab holds weights in steps of Scale: [SlabSlots] weights in a [Linear], [PageTokens] in a
// [PageModel].
type Slab struct {
	Scale   float32
	Weights []int8
}

// MostSteps is the largest weight in steps of its scale. It has 7 bits, so that the sum of
// two weights fits into a byte (rows.go).
const MostSteps = 63

// linearColumns sets the columns of the models of attributes, words and whole pages.
func (s *sheet) linearColumns(pages *pageTokens, l *linears) {
	s.attributes(l)
	s.blockScores(l)
	s.smoothAll()
	s.headingColumns()
	s.pageColumns(pages)
}

// smoothAll sets the columns with means of the linear models' scores.
func (s *sheet) smoothAll() {
	s.smooth(colAttr, 2, colAttrWin2)
	s.smooth(colAttr, 8, colAttrWin8)
	s.smooth(colAttr, s.n, colAttrPage)
	s.smooth(colLexical, 2, colLexicalWin2)
	s.smooth(colLexical, 8, colLexicalWin8)
	s.meanUnits(colAttr, colAttrUnit)
	s.meanUnits(colLexical, colLexicalUnit)
}

// smooth sets the column to to the mean of the column from over reach blocks on each side,
// weighted by words.
func (s *sheet) smooth(from column, reach int, to column) {
	in, out := s.col(from), s.want(to)
	if out == nil {
		return
	}
	s.running = grow(s.running, s.n+1)
	sum := 0.
	for i := range in {
		s.running[i] = sum
		sum += float64(float64(in[i]) * float64(s.blocks[i].words+1))
	}
	s.running[s.n] = sum
	for i := range out {
		a, b := max(0, i-reach), min(s.n, i+reach+1)
		words := s.sums[b].words - s.sums[a].words + float64(b-a)
		out[i] = float32((s.running[b] - s.running[a]) / words)
	}
}
