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
	s.scale = quantile(sizes, 1-over) / 127
	for i, v := range w {
		s.w[i] = int8(max(-127, min(127, math.RoundToEven(float64(v/s.scale)))))
	}
	return s
}

// weights are those of a linear model under one policy.
type weights struct {
	bias float32
	w    []float32
}

// under returns the weights that hold under a policy.
func (l *linear) under(policy int) weights {
	all, own := l.slabs[0], l.slabs[policy+1]
	w := make([]float32, len(all.w))
	for i := range w {
		w[i] = float32(all.w[i])*all.scale + float32(own.w[i])*own.scale
	}
	return weights{l.bias, w}
}

// linears are the weights of both linear models, under [Main] and under
// [Article].
type linears struct{ attr, words [2]weights }

// linears returns the weights under the two policies.
func (m *Model) linears() linears { return linearsOf(m.attr, m.words) }

func linearsOf(attr, words *linear) (l linears) {
	for policy := range l.attr {
		l.attr[policy], l.words[policy] = attr.under(policy), words.under(policy)
	}
	return l
}

// linearColumns sets the columns that need the models of attributes, words and
// whole pages; attributes sets those of the first.
func (s *sheet) linearColumns(pages *pageModel, l linears, attributes func(weights)) {
	attributes(l.attr[0])
	s.lexical(l.words[0])
	copy(s.col(colAttrMain), s.col(colAttr))
	copy(s.col(colLexicalMain), s.col(colLexical))
	attributes(l.attr[1])
	s.lexical(l.words[1])
	s.smoothAll()
	s.pageColumns(pages)
}

// general drops the slabs of conventions.
func (l *linear) general() *linear { return &linear{l.bias, l.slabs[:slabs]} }

// elementScores are the sums of the weights of an element's tokens: for all
// that stands in it and in the elements around it, and for what it is near to.
type elementScores struct{ any, near float32 }

// attributes sets the columns of the model over class and id tokens.
func (s *sheet) attributes(w weights) {
	s.scores = grow(s.scores, len(s.elems))
	s.scores[0] = elementScores{}
	for e := int32(1); e < int32(len(s.elems)); e++ {
		s.any, s.near = s.appendSlots(e, s.any[:0], s.near[:0])
		s.scores[e] = elementScores{any: s.scores[s.elems[e].parent].any + w.sum(s.any), near: w.sum(s.near)}
	}
	s.attrColumns(w)
}

// attrColumns sets the columns of the blocks from s.scores.
func (s *sheet) attrColumns(w weights) {
	for i := range s.blocks {
		e := s.blocks[i].element
		s.near = s.appendTagSlots(s.near[:0], e)
		near := w.bias + w.sum(s.near)
		for k, x := 0, e; k < maxNear && x > 0; k, x = k+1, s.elems[x].parent {
			near += s.scores[x].near
		}
		s.set(colAttrNear, i, float64(near))
		s.set(colAttr, i, float64(near+s.scores[e].any))
	}
}

// sum adds the weights of slots.
func (w weights) sum(slots []uint32) (z float32) {
	for _, k := range slots {
		z += w.w[k]
	}
	return z
}

// lexical sets the column of the model over words.
func (s *sheet) lexical(w weights) {
	for i := range s.blocks {
		s.near = s.blocks[i].appendWordSlots(s.near[:0])
		s.set(colLexical, i, float64(w.bias+w.sum(s.near)))
	}
}

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
	in, out := s.col(from), s.col(to)
	s.running = grow(s.running, s.n+1)
	sum := 0.
	for i := range in {
		s.running[i] = sum
		sum += float64(in[i]) * float64(s.blocks[i].words+1)
	}
	s.running[s.n] = sum
	for i := range out {
		a, b := max(0, i-reach), min(s.n, i+reach+1)
		words := s.sums[b].words - s.sums[a].words + float64(b-a)
		out[i] = float32((s.running[b] - s.running[a]) / words)
	}
}
