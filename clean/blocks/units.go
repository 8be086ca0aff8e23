package blocks

import (
	"chaffinch/internal/layout"
	"chaffinch/page"
)

// unit is what a unit holds: something that a reader takes or leaves as a whole
// ([layout.Wholes]).
type unit struct {
	kind      layout.WholeKind
	blocks    int
	words     int
	linkWords float64
	numbers   int
	rows      int // of a table
	columns   int
	last      int32 // row of the last block
	after     bool  // it follows a heading
}

// readUnits finds the units. The first one stands for none.
func (s *sheet) readUnits() {
	s.wholes.Find(s.page)
	s.units = s.units[:0]
	for _, kind := range s.wholes.Kinds {
		s.units = append(s.units, unit{kind: kind})
	}
	for i := range s.blocks {
		b := &s.blocks[i]
		b.unit = s.wholes.Of[i]
		u := &s.units[b.unit]
		if u.blocks == 0 {
			u.after = i > 0 && s.page.Blocks[i-1].Kind == page.Heading
		}
		u.blocks++
		u.words += b.words
		u.linkWords += b.linkWords
		u.numbers += b.numbers
		p := &s.page.Blocks[i]
		u.columns = max(u.columns, int(p.Column)+1)
		if p.Row != u.last {
			u.rows++
			u.last = p.Row
		}
	}
}

// unitColumns sets the columns of the units; a block without one is its own.
func (s *sheet) unitColumns() {
	all := float64(s.elems[0].words)
	place := 0
	for i := range s.blocks {
		b := &s.blocks[i]
		u := s.units[b.unit]
		if b.unit == 0 {
			u = unit{blocks: 1, words: b.words, linkWords: b.linkWords, numbers: b.numbers, rows: 1, columns: 1}
			u.after = i > 0 && s.page.Blocks[i-1].Kind == page.Heading
		}
		if place++; i == 0 || b.unit == 0 || b.unit != s.blocks[i-1].unit {
			place = 0
		}
		words := float64(u.words)
		s.set(colUnit, i, float64(u.kind))
		s.set(colUnitBlocks, i, log1(u.blocks))
		s.set(colUnitWords, i, log1(u.words))
		s.set(colUnitMean, i, words/float64(u.blocks))
		s.set(colUnitLinks, i, ratio(u.linkWords, words))
		s.set(colUnitNumbers, i, ratio(float64(u.numbers), words))
		s.set(colUnitRows, i, log1(u.rows))
		s.set(colUnitWidth, i, float64(u.columns))
		s.set(colUnitShare, i, ratio(words, all))
		s.set(colUnitPlace, i, ratio(float64(place), float64(u.blocks)))
		s.set(colUnitAfter, i, flag(u.after))
	}
}

// unitMeans returns the mean of the values of each unit, weighted by words. It is
// valid until the next use of s.running.
func (s *sheet) unitMeans(values []float32) []float64 {
	s.running = grow(s.running, 2*len(s.units))
	means, weights := s.running[:len(s.units)], s.running[len(s.units):]
	clear(s.running)
	for i, v := range values {
		u, w := s.blocks[i].unit, float64(s.blocks[i].words+1)
		means[u] += float64(w * float64(v))
		weights[u] += w
	}
	for u, w := range weights {
		if w > 0 {
			means[u] /= w
		}
	}
	return means
}

// meanUnits sets column to to the mean of column from over the unit of each
// block, weighted by words.
func (s *sheet) meanUnits(from, to column) {
	in, out := s.col(from), s.col(to)
	means := s.unitMeans(in)
	for i, v := range in {
		if u := s.blocks[i].unit; u > 0 {
			v = float32(means[u])
		}
		out[i] = v
	}
}

// listMean is the weight of the mean of a list against the value of an item.
const listMean = .5

// settle gives all blocks of a table the mean of their values, weighted by
// words, and those of a list the part list of it.
func (s *sheet) settle(values []float32, list float32) {
	means := s.unitMeans(values)
	for i, v := range values {
		u := s.blocks[i].unit
		if u == 0 {
			continue
		}
		mean := float32(means[u])
		if s.units[u].kind == layout.TableWhole {
			values[i] = mean
		} else {
			values[i] = v + float32(list*(mean-v))
		}
	}
}

// Bounds of a series: short blocks that stand in elements of the same names and
// classes, such as the names of those who wrote the posts of a thread.
const (
	minSeries      = 3
	maxSeriesWords = 8 // on average
)

// seriesMean is the weight of the mean of a series against the value of a block.
const seriesMean = .75

// settleSeries draws the blocks of a series together: the name of the first
// one to post is not lost where the others stay.
func (s *sheet) settleSeries(values []float32) {
	n := len(s.twins.list)
	s.running = grow(s.running, n)
	clear(s.running)
	for i, v := range values {
		s.running[s.blocks[i].twin] += float64(v)
	}
	for i, v := range values {
		t := s.blocks[i].twin
		if g := &s.twins.list[t]; g.blocks >= minSeries && g.words <= maxSeriesWords*g.blocks && s.blocks[i].unit == 0 {
			values[i] = v + float32(seriesMean*(float32(s.running[t]/float64(g.blocks))-v))
		}
	}
}
