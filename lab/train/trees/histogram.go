package trees

import "chaffinch/internal/boost"

// binBits is the number of bits of a bin in the index of a cell.
const binBits = 7

// batch is the number of features whose histograms are computed in one pass over the rows.
const batch = 4

// candidate is a split with its gain.
type candidate struct {
	boost.Split
	gain float64
}

// reserve allocates histograms for the given number of features.
func (t *trainer) reserve(features int) {
	cells := 1 << (t.cfg.Depth - 1 + binBits)
	for len(t.hists) < features {
		t.hists = append(t.hists, make([]int64, cells))
	}
	for len(t.scratch) < t.cfg.Workers {
		t.scratch = append(t.scratch, make([]int64, batch*max(cells/2, 1<<binBits)))
	}
}

// bestSplit returns the best split at a level, of equals the one with the first feature and the lowest
// threshold. Its feature is -1 if no gain exceeds rounding errors.
func (t *trainer) bestSplit(chosen []int, level int, right []bool) candidate {
	best := make([]candidate, len(chosen))
	each(t.cfg.Workers, (len(chosen)+batch-1)/batch, func(worker, b int) {
		from, to := b*batch, min((b+1)*batch, len(chosen))
		t.count(t.scratch[worker], chosen[from:to], level)
		for k := from; k < to; k++ {
			bins := t.bins[chosen[k]]
			slots := 1 << max(0, level-1)
			part := t.scratch[worker][(k-from)*slots<<binBits:][:slots<<binBits]
			t.complete(t.hists[k], part, bins, level, right)
			best[k] = t.best(t.hists[k], bins, level)
			best[k].Feature = chosen[k]
		}
	})
	top := candidate{boost.Split{Feature: -1}, t.gauge.h}
	for _, c := range best {
		if c.gain > top.gain {
			top = c
		}
	}
	return top
}

// count sets part to the concatenated histograms of up to batch features over the listed rows.
func (t *trainer) count(part []int64, features []int, level int) {
	slots := 1 << max(0, level-1)
	size := slots << binBits
	clear(part[:len(features)*size])
	if len(features) < batch {
		for k, f := range features {
			count1(part[k*size:][:size], t.cols[f], t.some)
		}
		return
	}
	count4(part[:size], part[size:][:size], part[2*size:][:size], part[3*size:][:size],
		t.cols[features[0]], t.cols[features[1]], t.cols[features[2]], t.cols[features[3]], t.some)
}

// count1 adds the rows to a histogram.
func count1(cells []int64, col []uint8, some counted) {
	slot, gh := some.slot[:len(some.rows)], some.gh[:len(some.rows)]
	for i, r := range some.rows {
		cells[int(slot[i])+int(col[r])] += gh[i]
	}
}

// count4 adds the rows to four histograms.
func count4(a, b, c, d []int64, ca, cb, cc, cd []uint8, some counted) {
	slot, gh := some.slot[:len(some.rows)], some.gh[:len(some.rows)]
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	cb, cc, cd = cb[:len(ca)], cc[:len(ca)], cd[:len(ca)]
	for i, r := range some.rows {
		s, v := int(slot[i]), gh[i]
		a[s+int(ca[r])] += v
		b[s+int(cb[r])] += v
		c[s+int(cc[r])] += v
		d[s+int(cd[r])] += v
	}
}

// complete computes the histograms of the leaves of a level from the histograms of the previous
// level and of the counted halves in part.
func (t *trainer) complete(hist, part []int64, bins, level int, right []bool) {
	if level == 0 {
		copy(hist, part)
		return
	}
	parents := 1 << (level - 1)
	for l := range parents {
		low := hist[l<<binBits:][:bins]
		high := hist[(l+parents)<<binBits:][:bins]
		small := part[l<<binBits:][:bins]
		if right[l] {
			for b, v := range small {
				high[b] = v
				low[b] -= v
			}
		} else {
			for b, v := range small {
				high[b] = low[b] - v
				low[b] = v
			}
		}
	}
}

// best returns the best threshold of a feature at a level.
func (t *trainer) best(hist []int64, bins, level int) candidate {
	var gains [boost.MaxBins]float64
	lambda, least := t.cfg.Lambda, t.cfg.MinWeight
	for l := range 1 << level {
		cells := hist[l<<binBits:][:bins]
		var total int64
		for _, v := range cells {
			total += v
		}
		if total == 0 {
			continue
		}
		g, h := t.gauge.split(total)
		if h < 2*least {
			continue
		}
		whole := g * g / (h + lambda)
		var sum int64
		for b, v := range cells[:bins-1] {
			sum += v
			gl, hl := t.gauge.split(sum)
			gr, hr := t.gauge.split(total - sum)
			if hl < least || hr < least || hl == 0 || hr == 0 {
				continue
			}
			gains[b] += gl*gl/(hl+lambda) + gr*gr/(hr+lambda) - whole
		}
	}
	var top candidate
	for b, gain := range gains[:bins] {
		if gain > top.gain {
			top = candidate{boost.Split{Threshold: uint8(b)}, gain}
		}
	}
	return top
}
