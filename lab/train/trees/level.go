package trees

import "chaffinch/internal/boost"

// counted lists the rows whose derivatives are added to histograms at a level: at level 0 the
// complete sample, below it the rows of the smaller half of each leaf.
type counted struct {
	rows []int32
	slot []uint16 // offset of the histogram: number of the parent << binBits
	gh   []int64
}

// splits returns the levels of a tree that uses only the chosen features.
func (t *trainer) splits(chosen []int) []boost.Split {
	if len(t.rows) == 0 {
		return nil
	}
	t.reserve(len(chosen))
	t.half.slot = resize(t.half.slot, len(t.rows))
	clear(t.half.slot)
	t.some = counted{rows: t.rows, slot: t.half.slot, gh: t.gh}
	var levels []boost.Split
	var right []bool // by parent: whether its right half is counted
	for {
		best := t.bestSplit(chosen, len(levels), right)
		if best.Feature < 0 {
			return levels
		}
		t.gain[best.Feature] += best.gain
		levels = append(levels, best.Split)
		if len(levels) == t.cfg.Depth {
			return levels
		}
		right = t.divide(best.Split, len(levels)-1)
	}
}

// divide assigns the rows of the sample to the leaves of a new level: leaf l becomes l and l +
// 2^level. It lists the rows of the smaller halves in t.some and reports for each parent whether
// the right half is the smaller one.
func (t *trainer) divide(q boost.Split, level int) (right []bool) {
	n, parents := len(t.rows), 1<<level
	col := t.cols[q.Feature]
	parts := make([][2 << boost.MaxDepth]int32, chunkCount(n))
	chunks(t.cfg.Workers, n, func(c, from, to int) {
		size := &parts[c]
		rows, leaf := t.rows[from:to], t.leaf[from:to]
		for i, r := range rows {
			l := leaf[i]
			if col[r] > q.Threshold {
				l |= 1 << level
			}
			leaf[i] = l
			size[l]++
		}
	})
	var sizes [2 << boost.MaxDepth]int
	for c := range parts {
		for l, k := range parts[c] {
			sizes[l] += int(k)
		}
	}
	right = make([]bool, parents)
	total := 0
	for l := range right {
		right[l] = sizes[l+parents] < sizes[l]
		total += min(sizes[l], sizes[l+parents])
	}
	starts := make([]int, len(parts))
	at := 0
	for c := range parts {
		starts[c] = at
		for l, r := range right {
			if r {
				l += parents
			}
			at += int(parts[c][l])
		}
	}
	// small maps a leaf to the slot of its counts, or to none.
	const none = 1 << 15
	var small [2 << boost.MaxDepth]uint16
	for l, r := range right {
		small[l], small[l+parents] = uint16(l)<<binBits, none
		if r {
			small[l], small[l+parents] = none, uint16(l)<<binBits
		}
	}
	list := &t.half
	list.rows, list.slot, list.gh = resize(list.rows, total), resize(list.slot, total), resize(list.gh, total)
	chunks(t.cfg.Workers, n, func(c, from, to int) {
		at := starts[c]
		for i := from; i < to; i++ {
			if s := small[t.leaf[i]]; s != none {
				list.rows[at], list.slot[at], list.gh[at] = t.rows[i], s, t.gh[i]
				at++
			}
		}
	})
	t.some = *list
	return right
}
