package blocks

import "math"

// slabs is the number of slabs of a linear model that was trained.
const slabs = 3

// linear is a logistic regression over hashed tokens of what is kept. Its weights
// stand in slabs: the first holds for every policy, the others for [Main] and
// [Article]. In training there are more, one for each convention, which takes up
// what is particular to it.
type linear struct {
	bias  float32
	slabs []slabOf
}

// slabOf holds 1<<slabBits weights in steps of scale.
type slabOf struct {
	scale float32
	w     []int8
}

// mostSteps is the largest weight in steps of its scale: 7 bits, so that two fit into
// a byte when they are added up (rows.go).
const mostSteps = 63

// stepsOf rounds a weight.
func stepsOf(v, scale float32) int8 {
	return int8(max(-mostSteps, min(mostSteps, math.RoundToEven(float64(v/scale)))))
}

// pack rounds weights to steps. The largest ones, a thousandth of those that
// are not 0, are cut.
func pack(w []float32) slabOf {
	const over = .001
	var sizes []float32
	for _, v := range w {
		if v != 0 {
			sizes = append(sizes, float32(math.Abs(float64(v))))
		}
	}
	s := slabOf{w: make([]int8, len(w))}
	if len(sizes) == 0 {
		return s
	}
	s.scale = quantile(sizes, 1-over) / mostSteps
	for i, v := range w {
		s.w[i] = stepsOf(v, s.scale)
	}
	return s
}

// linearColumns sets the columns that need the models of attributes, words and
// whole pages; attributes sets those of the first.
func (s *sheet) linearColumns(pages *pageModel, l *linears, attributes func(*linears)) {
	attributes(l)
	s.blockScores(l)
	s.smoothAll()
	s.pageColumns(pages)
}

// general drops the slabs of conventions.
func (l *linear) general() *linear { return &linear{l.bias, l.slabs[:slabs]} }

// smoothAll sets the columns that are means of the linear models' scores.
func (s *sheet) smoothAll() {
	s.smooth(colAttr, 2, colAttrWin2)
	s.smooth(colAttr, 8, colAttrWin8)
	s.smooth(colAttr, s.n, colAttrPage)
	s.smooth(colLexical, 2, colLexicalWin2)
	s.smooth(colLexical, 8, colLexicalWin8)
	s.meanUnits(colAttr, colAttrUnit)
	s.meanUnits(colLexical, colLexicalUnit)
}

// smooth sets column to to the mean of column from over reach blocks on each
// side, weighted by words.
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
