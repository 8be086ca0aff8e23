package trees

import (
	"math"
	"math/rand/v2"
	"slices"
)

// gauge holds the sizes of the integer steps of g and h.
//
// The steps are the sums of |g| and of h over the sample, divided by 2^30. So no sum of a part of
// the sample exceeds 32 bits. Rounding, at most half a step per row, changes a sum of n rows by at
// most n/2^31 of the total. For a million rows this is 0.05 percent in the worst case, and about a
// thousandth of that for random errors.
type gauge struct{ g, h float64 }

// pair packs counts of steps: g, which may be negative, in the upper half, h, which is not, in the
// lower.
func pair(g, h int64) int64 { return g<<32 + h }

// split unpacks the sums of a cell.
func (s gauge) split(cell int64) (g, h float64) {
	return float64(cell>>32) * s.g, float64(uint32(cell)) * s.h
}

// draw returns a number in [0, 1) that depends on the seed and on row i: element i of the sequence
// of splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
func draw(seed uint64, i int) float32 {
	z := seed + uint64(i)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float32((z^z>>31)>>40) / (1 << 24)
}

// choose returns the features of tree n, in order.
func (t *trainer) choose(n int) []int {
	k := max(1, int(math.Round(t.cfg.ColSample*float64(len(t.features)))))
	chosen := rand.New(rand.NewPCG(t.cfg.Seed, uint64(n)*2)).Perm(len(t.features))[:k]
	slices.Sort(chosen)
	return chosen
}

// sample samples the rows of tree n and packs their derivatives.
func (t *trainer) sample(n int) {
	seed := rand.New(rand.NewPCG(t.cfg.Seed, uint64(n)*2+1)).Uint64()
	share := float32(t.cfg.RowSample)
	type part struct {
		rows int
		g, h float64
	}
	parts := make([]part, chunkCount(t.m.Rows))
	t.drawn = resize(t.drawn, t.m.Rows)
	chunks(t.cfg.Workers, t.m.Rows, func(c, from, to int) {
		drawn := t.drawn[from:to]
		k := 0
		for i := from; i < to; i++ {
			drawn[k] = int32(i)
			if draw(seed, i) < share && t.h[i] > 0 {
				k++
			}
		}
		p := part{rows: k}
		for _, i := range drawn[:k] {
			p.g += math.Abs(float64(t.g[i]))
			p.h += float64(t.h[i])
		}
		parts[c] = p
	})
	var all part
	starts := make([]int, len(parts))
	for c, p := range parts {
		starts[c] = all.rows
		all.rows += p.rows
		all.g += p.g
		all.h += p.h
	}
	t.rows = resize(t.rows, all.rows)
	t.gh = resize(t.gh, all.rows)
	t.leaf = resize(t.leaf, all.rows)
	clear(t.leaf)
	t.gauge = gauge{g: max(all.g, math.SmallestNonzeroFloat32) / (1 << 30), h: max(all.h, math.SmallestNonzeroFloat32) / (1 << 30)}
	chunks(t.cfg.Workers, t.m.Rows, func(c, from, _ int) {
		drawn := t.drawn[from:][:parts[c].rows]
		rows, gh := t.rows[starts[c]:][:len(drawn)], t.gh[starts[c]:][:len(drawn)]
		gs, hs := 1/t.gauge.g, 1/t.gauge.h
		for k, i := range drawn {
			rows[k] = i
			gh[k] = pair(nearest(float64(t.g[i])*gs), nearest(float64(t.h[i])*hs))
		}
	})
}

// nearest rounds a number below 2^40 to the nearest integer.
func nearest(x float64) int64 { return int64(float64(x)+(1<<40+.5)) - 1<<40 }

// resize returns s with length n, reallocated if necessary.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
