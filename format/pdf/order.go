package pdf

import (
	"cmp"
	"slices"

	"chaffinch/format/pdf/internal/wire"
)

// block is a part of a column: lines below each other.
type block struct {
	wire.Box
	lines []*line
	order int
	table *table
}

func newBlock(l *line) *block { return &block{Box: l.Box, lines: []*line{l}, order: l.order} }

func (b *block) add(l *line) {
	b.lines = append(b.lines, l)
	b.Box = b.Box.Union(l.Box)
}

// overlapX returns the width that two boxes share, as a share of the narrower one.
func overlapX(a, b wire.Box) float32 {
	return (min(a.X1, b.X1) - max(a.X0, b.X0)) / max(min(a.X1-a.X0, b.X1-b.X0), .1)
}

// maxLeading is the largest distance of baselines in a block, in sizes.
const maxLeading = 2.2

// blocksOf groups lines that follow each other in the content and in a column.
func blocksOf(lines []*line) []*block {
	var out []*block
	for _, l := range lines {
		if len(out) > 0 {
			b := out[len(out)-1]
			last := b.lines[len(b.lines)-1]
			step, size := l.base-last.base, max(l.size, last.size)
			if step > .5*size && step < maxLeading*size && overlapX(b.Box, l.Box) > .5 && max(l.size, last.size) < 1.6*min(l.size, last.size) {
				b.add(l)
				continue
			}
		}
		out = append(out, newBlock(l))
	}
	return out
}

// arrange returns blocks in reading order: in content order, if it is a possible reading order,
// otherwise by position.
func arrange(blocks []*block, rtl bool) []*block {
	wrong := 0
	for i, b := range blocks {
		for _, a := range blocks[:i] {
			if above(b, a) {
				wrong++
				break
			}
		}
	}
	switch {
	case wrong == 0:
		return blocks
	case wrong*8 <= len(blocks): // a few blocks are out of order, such as a title drawn last
		var out []*block
		for _, b := range blocks {
			at := slices.IndexFunc(out, func(a *block) bool { return above(b, a) })
			if at < 0 {
				at = len(out)
			}
			out = slices.Insert(out, at, b)
		}
		return out
	}
	return cutXY(slices.Clone(blocks), rtl, 0)
}

// above reports whether b is above a in the same column.
func above(b, a *block) bool {
	return overlapX(a.Box, b.Box) > .3 && b.Y1 < a.Y0+3 && b.Y0 < a.Y0
}

// maxCuts bounds the depth of cuts.
const maxCuts = 40

// cutXY orders blocks by cuts of the page: between columns if a gap separates them, otherwise
// between rows.
func cutXY(blocks []*block, rtl bool, depth int) []*block {
	if len(blocks) < 2 || depth > maxCuts {
		return blocks
	}
	if parts := split(blocks, spanX); len(parts) > 1 {
		if rtl {
			slices.Reverse(parts)
		}
		return cutParts(parts, rtl, depth)
	}
	if parts := split(blocks, spanY); len(parts) > 1 {
		return cutParts(join(parts), rtl, depth)
	}
	slices.SortStableFunc(blocks, func(a, b *block) int { return cmp.Compare(a.order, b.order) })
	return blocks
}

func cutParts(parts [][]*block, rtl bool, depth int) []*block {
	var out []*block
	for _, p := range parts {
		out = append(out, cutXY(p, rtl, depth+1)...)
	}
	return out
}

// join joins rows that follow each other and have the same columns, so that a column is read to
// its end.
func join(rows [][]*block) [][]*block {
	if len(rows) < 3 {
		return rows
	}
	out := [][]*block{rows[0]}
	for _, row := range rows[1:] {
		last := out[len(out)-1]
		both := append(slices.Clone(last), row...)
		if n := len(split(both, spanX)); n > 1 && n == len(split(last, spanX)) {
			out[len(out)-1] = both
			continue
		}
		out = append(out, row)
	}
	if len(out) == 1 {
		return rows
	}
	return out
}

func spanX(b *block) (from, to float32) { return b.X0, b.X1 }

func spanY(b *block) (from, to float32) { return b.Y0, b.Y1 }

// split groups blocks at gaps between their intervals.
func split(blocks []*block, interval func(*block) (float32, float32)) [][]*block {
	sorted := slices.Clone(blocks)
	slices.SortStableFunc(sorted, func(a, b *block) int {
		a0, _ := interval(a)
		b0, _ := interval(b)
		return cmp.Compare(a0, b0)
	})
	var out [][]*block
	var end float32
	for i, b := range sorted {
		from, to := interval(b)
		if i == 0 || from > end {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], b)
		if i == 0 || to > end {
			end = to
		}
	}
	return out
}
