package blocks

import (
	"math"

	"chaffinch/page"
)

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

// score is what a linear model says, under [Main] and under [Article].
type score struct{ main, article float32 }

// weights are those of a linear model under both policies, side by side: one look
// at a slot serves both.
type weights struct {
	bias float32
	w    []score
}

// weights returns those that hold under the two policies.
func (l *linear) weights() weights {
	all := l.slabs[0]
	main, article := l.slabs[1], l.slabs[2]
	w := make([]score, len(all.w))
	for i := range w {
		both := float32(all.w[i]) * all.scale
		w[i] = score{both + float32(main.w[i])*main.scale, both + float32(article.w[i])*article.scale}
	}
	return weights{l.bias, w}
}

// plus returns the sum of two scores.
func (z score) plus(y score) score { return score{z.main + y.main, z.article + y.article} }

// sum adds the weights of slots.
func (w weights) sum(slots []uint32) (z score) {
	for _, k := range slots {
		z = z.plus(w.w[k])
	}
	return z
}

// biased returns the bias and the weights of slots.
func (w weights) biased(slots []uint32) score { return score{w.bias, w.bias}.plus(w.sum(slots)) }

// linears are the weights of both linear models.
type linears struct {
	attr, words weights
	hints       *hints
}

// linearColumns sets the columns that need the models of attributes, words and
// whole pages; attributes sets those of the first.
func (s *sheet) linearColumns(pages *pageModel, l linears, attributes func(linears)) {
	attributes(l)
	s.blockScores(l)
	s.smoothAll()
	s.pageColumns(pages)
}

// general drops the slabs of conventions.
func (l *linear) general() *linear { return &linear{l.bias, l.slabs[:slabs]} }

// elementScores are the sums of the weights of an element's tokens: for all
// that stands in it and in the elements around it, and for what it is near to.
type elementScores struct{ any, near score }

// attributes sums up the weights of the class and id tokens of the elements.
func (s *sheet) attributes(l linears) {
	s.elementScores(l, func(e int32) (any, near []uint32) {
		s.any, s.near = s.appendSlots(e, s.any[:0], s.near[:0])
		return s.any, s.near
	})
}

// elementScores sets s.scores and s.hints for the elements that hold blocks; slots
// gives the slots of each.
func (s *sheet) elementScores(l linears, slots func(e int32) (any, near []uint32)) {
	s.scores, s.hints = grow(s.scores, len(s.elems)), grow(s.hints, len(s.elems))
	s.scores[0], s.hints[0] = elementScores{}, elementHints{}
	for e := int32(1); e < int32(len(s.elems)); e++ {
		any, near := slots(e)
		if s.elems[e].blocks == 0 {
			continue
		}
		s.scores[e] = elementScores{any: s.scores[s.elems[e].parent].any.plus(l.attr.sum(any)), near: l.attr.sum(near)}
		s.hintElement(l.hints, e, any, near)
	}
}

// blockScores sets the columns of the linear models of blocks.
func (s *sheet) blockScores(l linears) {
	for i := range s.blocks {
		e := s.blocks[i].element
		s.any = s.appendTagSlots(s.any[:0], e)
		near := l.attr.biased(s.any)
		for k, x := 0, e; k < maxNear && x > 0; k, x = k+1, s.elems[x].parent {
			near = near.plus(s.scores[x].near)
		}
		all := near.plus(s.scores[e].any)
		s.set(colAttrNear, i, float64(near.article))
		s.set(colAttr, i, float64(all.article))
		s.set(colAttrMain, i, float64(all.main))
		s.near = s.blocks[i].appendWordSlots(s.near[:0])
		words := l.words.biased(s.near)
		s.set(colLexical, i, float64(words.article))
		s.set(colLexicalMain, i, float64(words.main))
		if l.hints != nil {
			s.hintBlock(l.hints, i, s.any, s.near)
		}
	}
	if l.hints == nil {
		for r := range page.RoleCount {
			s.fill(colHints+column(r), 0)
		}
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
