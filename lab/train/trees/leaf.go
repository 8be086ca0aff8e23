package trees

import (
	"encoding/binary"

	"chaffinch/internal/boost"
)

const (
	ones  = 0x0101010101010101
	tops  = 0x8080808080808080
	lanes = 8 // rows processed at once
)

// leafSum holds the sums of the derivatives of the rows of a leaf.
type leafSum struct{ g, h float64 }

// values returns the values of the leaves of a new tree, from all rows instead of the sample, and
// adds them to the log odds of the rows.
func (t *trainer) values(levels []boost.Split) []float64 {
	n := 1 << len(levels)
	chunks(t.cfg.Workers, t.m.Rows, func(c, from, to int) {
		t.find(levels, from, to)
		sums := resize(t.sums[c], n)
		clear(sums)
		for i := from; i < to; i++ {
			s := &sums[t.leaves[i]]
			s.g += float64(t.g[i])
			s.h += float64(t.h[i])
		}
		t.sums[c] = sums
	})
	values := make([]float64, n)
	for l := range values {
		var all leafSum
		for _, sums := range t.sums {
			all.g += sums[l].g
			all.h += sums[l].h
		}
		if all.h > 0 {
			values[l] = t.cfg.Rate * all.g / (all.h + t.cfg.Lambda)
		}
	}
	chunks(t.cfg.Workers, t.m.Rows, func(_, from, to int) {
		for i := from; i < to; i++ {
			t.score[i] += float32(values[t.leaves[i]])
		}
	})
	return values
}

// find sets the leaf of each row of a chunk, eight rows at a time (see boost.Forest.Score).
func (t *trainer) find(levels []boost.Split, from, to int) {
	leaves := t.leaves[from:to]
	clear(leaves)
	whole := len(leaves) &^ (lanes - 1)
	for l, q := range levels {
		col := t.cols[q.Feature][from:to]
		limit := (uint64(q.Threshold) + 1) * ones
		for i := 0; i < whole; i += lanes {
			x := binary.LittleEndian.Uint64(col[i:])
			leaf := binary.LittleEndian.Uint64(leaves[i:])
			binary.LittleEndian.PutUint64(leaves[i:], leaf|((x|tops)-limit)&tops>>(7-l))
		}
		for i := whole; i < len(leaves); i++ {
			if col[i] > q.Threshold {
				leaves[i] |= 1 << l
			}
		}
	}
}
