package blocks

import (
	"chaffinch/internal/layout"
	"chaffinch/internal/truth"
	"chaffinch/page"
)

// unit holds the statistics of a table or list, which readers keep or drop as a whole
// ([layout.Units]).
type unit struct {
	kind      layout.UnitKind
	blocks    int32
	words     int32
	linkWords float64
	numbers   int32
	rows      int32 // rows of a table
	columns   int32
	last      int32 // row of the last block
	after     bool  // follows a heading
}

// readUnits finds the units. Index 0 means no unit.
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
			u.after = s.afterHeading(i)
		}
		u.blocks++
		u.words += b.words
		u.linkWords += b.linkWords
		u.numbers += b.numbers
		p := &s.page.Blocks[i]
		u.columns = max(u.columns, int32(p.Column)+1)
		if p.Row != u.last {
			u.rows++
			u.last = p.Row
		}
	}
}

// unitColumns sets the columns of the units. A block outside all units counts as one.
func (s *sheet) unitColumns() {
	if !s.wants(colUnit, colUnitAfter) {
		return
	}
	bs, all := s.blocks, float64(s.elems[0].words)
	s.around = grow(s.around, s.n)
	of, units := s.around, append(s.own[:0], s.units...)
	for i := range bs {
		b := &bs[i]
		if of[i] = b.unit; b.unit == 0 {
			of[i] = int32(len(units))
			units = append(units, unit{blocks: 1, words: b.words, linkWords: b.linkWords, numbers: b.numbers, rows: 1, columns: 1, after: s.afterHeading(i)})
		}
	}
	s.own = units
	words := func(i int) float64 { return float64(units[of[i]].words) }
	each(s.want(colUnit), func(i int) float64 { return float64(units[of[i]].kind) })
	each(s.want(colUnitBlocks), func(i int) float64 { return log1(units[of[i]].blocks) })
	each(s.want(colUnitWords), func(i int) float64 { return log1(units[of[i]].words) })
	each(s.want(colUnitMean), func(i int) float64 { return words(i) / float64(units[of[i]].blocks) })
	each(s.want(colUnitLinks), func(i int) float64 { return ratio(units[of[i]].linkWords, words(i)) })
	each(s.want(colUnitNumbers), func(i int) float64 { return ratio(float64(units[of[i]].numbers), words(i)) })
	each(s.want(colUnitRows), func(i int) float64 { return log1(units[of[i]].rows) })
	each(s.want(colUnitWidth), func(i int) float64 { return float64(units[of[i]].columns) })
	each(s.want(colUnitShare), func(i int) float64 { return ratio(words(i), all) })
	place := 0
	each(s.want(colUnitPlace), func(i int) float64 {
		if place++; i == 0 || of[i] != of[i-1] {
			place = 0
		}
		return ratio(float64(place), float64(units[of[i]].blocks))
	})
	each(s.want(colUnitAfter), func(i int) float64 { return truth.Float64(units[of[i]].after) })
}

// afterHeading reports whether block i follows a heading.
func (s *sheet) afterHeading(i int) bool { return i > 0 && s.blocks[i-1].kind == page.Heading }

// unitMeans returns the mean of the values of each unit, weighted by words. The result is
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

// meanUnits sets the column to to the mean of the column from over each block's unit,
// weighted by words.
func (s *sheet) meanUnits(from, to column) {
	in, out := s.col(from), s.want(to)
	if out == nil {
		return
	}
	means := s.unitMeans(in)
	for i, v := range in {
		if u := s.blocks[i].unit; u > 0 {
			v = float32(means[u])
		}
		out[i] = v
	}
}

// listMean is the weight of the mean of a list relative to the value of an item.
const listMean = .5

// settle sets the values of a table's blocks to their mean, weighted by words. It mixes the
// values of a list's blocks with their mean, which has weight list.
func (s *sheet) settle(values []float32, list float32) {
	means := s.unitMeans(values)
	for i, v := range values {
		u := s.blocks[i].unit
		if u == 0 {
			continue
		}
		mean := float32(means[u])
		if s.units[u].kind == layout.TableUnit {
			values[i] = mean
		} else {
			values[i] = v + float32(list*(mean-v))
		}
	}
}

// insideText is the minimum probability of the text before and after a table that belongs to it.
const insideText = .9

// settleInside raises the values of a data table between two blocks of the same element, a
// paragraph before it and text or a heading after it, to half way to theirs.
func (s *sheet) settleInside(values []float32) {
	for from := 0; from < s.n; {
		u := s.blocks[from].unit
		to := from + 1
		for to < s.n && s.blocks[to].unit == u {
			to++
		}
		if before, after := from-1, to; u > 0 && s.units[u].kind == layout.TableUnit && before >= 0 && after < s.n &&
			s.blocks[before].kind == page.Paragraph && values[before] >= insideText && values[after] >= insideText &&
			s.elems[s.blocks[before].element].parent == s.elems[s.blocks[after].element].parent {
			for i := from; i < to; i++ {
				values[i] = max(values[i], (values[i]+min(values[before], values[after]))/2)
			}
		}
		from = to
	}
}

// Limits of a series: short blocks in elements with the same names and classes, such as the
// authors of the posts of a thread.
const (
	minSeries      = 3
	maxSeriesWords = 8 // on average
)

// seriesMean is the weight of the mean of a series relative to the value of a block.
const seriesMean = .75

// settleSeries moves the values of a series towards their mean, so that the author of the
// first post is kept if the others are.
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
