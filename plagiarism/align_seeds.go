package plagiarism

import (
	"math"
	"slices"
)

// aligner compares sections. It reuses its memory between calls and must be used by
// one goroutine at a time.
type aligner struct {
	cfg AlignConfig

	s, r     *section
	to       []int32   // number in s -> number in r, or -1
	back     []int32   // number in r -> number in s, or -1
	rare     []float64 // number in s -> expected share of running text
	rareR    []float64 // number in r
	info     []float64 // number in s -> information in nats of sharing it within Radius
	points   []point
	grid     []float32
	seen     []int32 // number in s -> last point that counted it
	in       []bool  // word is in the other piece
	gain     []float64
	stack    [][]point
	clusters [][]point
}

// point pairs word i of the suspicious section with an equal word at place j of the
// source section.
type point struct{ i, j int32 }

// Prior share of running text for a word of a few characters: frequent words are
// short (Zipf's law of abbreviation). The prior has the weight of priorWords words of
// text.
const priorWords = 1000

var prior = [...]float64{1: 0.01, 2: 0.01, 3: 0.005, 4: 0.001, 5: 0.0005, 6: 0.0003, 7: 0.0002, 8: 0.0001}

// compare prepares s and r: it finds their shared words and the information of each.
// The share of a word in running text is estimated from both sections. One occurrence
// in each is excluded, so that the copy itself does not make its words frequent.
func (a *aligner) compare(s, r *section) {
	a.s, a.r = s, r
	a.to, a.back = resize(a.to, len(s.types)), resize(a.back, len(r.types))
	a.rare, a.rareR = resize(a.rare, len(s.types)), resize(a.rareR, len(r.types))
	a.info, a.seen = resize(a.info, len(s.types)), resize(a.seen, len(s.types))
	for k := range a.back {
		a.back[k] = -1
	}
	all := float64(s.len() + r.len() + priorWords)
	share := func(short uint8, uses int) float64 {
		p := prior[min(max(int(short), 1), len(prior)-1)]
		return min((float64(uses)+float64(p*priorWords))/all, 0.5)
	}
	for k, h := range s.types {
		j := r.table.get(h)
		a.to[k] = j
		a.seen[k] = -1
		n := s.count(int32(k)) - 1
		if j >= 0 {
			a.back[j] = int32(k)
			n += r.count(j) - 1
		}
		p := share(s.short[k], n)
		a.rare[k] = p
		if j >= 0 { // others are not used
			a.rareR[j] = p
			a.info[k] = -math.Log(chance(p, 2*a.cfg.Radius+1))
		}
	}
	for j := range r.types {
		if a.back[j] < 0 {
			a.rareR[j] = share(r.short[j], r.count(int32(j))-1)
		}
	}
}

// chance returns the probability that a word of share p is among n words.
func chance(p float64, n int) float64 { return -math.Expm1(float64(n) * math.Log1p(-p)) }

// maxPoints is the maximum number of points of one word. Words with more points carry
// almost no information.
const maxPoints = 256

// seeds returns the points whose neighborhood indicates a copy, sorted by i and j.
// Words with less than half a nat of information are skipped.
func (a *aligner) seeds() []point {
	s, r, w := a.s, a.r, a.cfg.Radius
	a.points = a.points[:0]
	cols := r.len()/w + 3
	a.grid = resize(a.grid, (s.len()/w+3)*cols)
	clear(a.grid)
	for i, k := range s.id {
		j := a.to[k]
		if j < 0 || a.info[k] < 0.5 || s.count(k)*r.count(j) > maxPoints {
			continue
		}
		row := (i/w + 1) * cols
		for _, p := range r.places(j) {
			a.points = append(a.points, point{int32(i), p})
			a.grid[row+int(p)/w+1] += float32(a.info[k])
		}
	}
	// The neighborhood cannot exceed the sum over three by three cells.
	need := float32(a.cfg.Support * 0.999)
	near := a.points[:0]
	for _, p := range a.points {
		at := (int(p.i)/w+1)*cols + int(p.j)/w + 1
		sum := float32(0)
		for _, row := range [3]int{at - cols, at, at + cols} {
			sum += a.grid[row-1] + a.grid[row] + a.grid[row+1]
		}
		if sum >= need {
			near = append(near, p)
		}
	}
	var out []point
	lo := 0
	for n, p := range near {
		for near[lo].i < p.i-int32(w) {
			lo++
		}
		sum := 0.0
		for _, q := range near[lo:] {
			if q.i > p.i+int32(w) {
				break
			}
			if k := s.id[q.i]; abs(q.j-p.j) <= int32(w) && a.seen[k] != int32(n) {
				a.seen[k] = int32(n)
				sum += a.info[k]
			}
		}
		if sum >= a.cfg.Support {
			out = append(out, p)
		}
	}
	return out
}

func abs(x int32) int32 { return max(x, -x) }

// cluster splits seeds at gaps wider than Gap on either side, until no part has such
// a gap. The order of the parts is unspecified but deterministic.
func (a *aligner) cluster(seeds []point) [][]point {
	a.clusters = a.clusters[:0]
	a.stack = append(a.stack[:0], seeds)
	gap := int32(a.cfg.Gap)
	for len(a.stack) > 0 {
		part := a.stack[len(a.stack)-1]
		a.stack = a.stack[:len(a.stack)-1]
		if len(part) == 0 {
			continue
		}
		n := len(a.stack)
		slices.SortFunc(part, func(x, y point) int { return int(x.i - y.i) })
		from := 0
		for k := 1; k < len(part); k++ {
			if part[k].i-part[k-1].i > gap {
				a.stack = append(a.stack, part[from:k])
				from = k
			}
		}
		if from > 0 {
			a.stack = append(a.stack, part[from:])
			continue
		}
		slices.SortFunc(part, func(x, y point) int { return int(x.j - y.j) })
		for k := 1; k < len(part); k++ {
			if part[k].j-part[k-1].j > gap {
				a.stack = append(a.stack, part[from:k])
				from = k
			}
		}
		if from > 0 {
			a.stack = append(a.stack, part[from:])
			continue
		}
		a.stack = a.stack[:n]
		a.clusters = append(a.clusters, part)
	}
	return a.clusters
}
