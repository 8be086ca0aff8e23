package ncleaner

import (
	"maps"
	"math"
	"slices"
)

// A Model has one of two scorers. Both sum the difference of the two models' log
// probabilities over the symbols of a segment. start returns the state before the first
// symbol. run scores symbols from a state and returns the next state. Scorers are immutable
// and do not allocate.

// maxDense is the maximum number of entries of a table: 8 MB.
const maxDense = 1 << 21

// table is the scorer of small n-grams. It holds one difference for each possible n-gram,
// indexed by the packed symbols. A character costs one load and one addition. The state is
// the packed n-gram.
type table struct {
	bits int
	mask uint32
	diff []float32 // log2 Pr_clean - log2 Pr_dirty
}

// dense reports whether n-grams of this size fit a table.
func dense(a *Alphabet, n int) bool { return n*a.bits < 32 && 1<<(n*a.bits) <= maxDense }

// newTable computes the table of the pair clean, dirty. It computes the probabilities of all
// shorter n-grams, order by order. It computes n-gram probabilities only for histories that
// either model has seen. For other histories the difference equals the difference of the
// shorter n-gram.
func newTable(clean, dirty *Estimator) *table {
	n, a := clean.n, clean.a
	t := &table{bits: a.bits, mask: uint32(maskOf(n, a.bits)), diff: make([]float32, 1<<(n*a.bits))}
	width := 1 << a.bits
	pc, pd := make([]float64, width), make([]float64, width)
	for s := range a.size {
		pc[s], pd[s] = clean.prob(gram(s), 1), dirty.prob(gram(s), 1)
	}
	for k := 2; k < n; k++ {
		pc, pd = clean.extend(pc, k), dirty.extend(pd, k)
	}
	shorter := make([]float32, len(pc))
	for i := range shorter {
		if pc[i] > 0 {
			shorter[i] = float32(math.Log2(pc[i] / pd[i]))
		}
	}
	if n == 1 {
		t.diff = shorter
		return t
	}
	gc, gd := clean.grams(), dirty.grams()
	rc, rd := make([]float64, width), make([]float64, width)
	for h := range gram(len(t.diff) / width) {
		row := t.diff[h<<a.bits:][:width]
		low := int(h<<a.bits) & (len(pc) - 1)
		if !clean.seen(h, n) && !dirty.seen(h, n) {
			copy(row, shorter[low:])
			continue
		}
		gc = clean.row(rc, pc[low:], h, gc)
		gd = dirty.row(rd, pd[low:], h, gd)
		for s := range a.size {
			row[s] = float32(math.Log2(rc[s] / rd[s]))
		}
	}
	return t
}

// grams returns the n-grams in ascending order.
func (e *Estimator) grams() []gram { return slices.Sorted(maps.Keys(e.events[e.n])) }

// row sets p to the probabilities of all symbols after the history h of n-1 symbols. shorter
// holds the probabilities after h without its first symbol. grams are the n-grams from h on;
// row returns the n-grams after h.
func (e *Estimator) row(p, shorter []float64, h gram, grams []gram) []gram {
	copy(p, shorter)
	total := e.hist[e.n][h]
	if total == 0 {
		return grams
	}
	take := e.take[e.n]
	for s := range p {
		p[s] *= 1 - take
	}
	for len(grams) > 0 && grams[0]>>e.a.bits == h {
		g := grams[0]
		p[g&maskOf(1, e.a.bits)] += take * float64(e.events[e.n][g]) / float64(total)
		grams = grams[1:]
	}
	return grams
}

// extend returns the probabilities of all k-grams, computed from the probabilities of the
// (k-1)-grams.
func (e *Estimator) extend(shorter []float64, k int) []float64 {
	b := e.a.bits
	p := make([]float64, 1<<(k*b))
	low := len(shorter) - 1
	for g := range p {
		p[g] = shorter[g&low]
	}
	for h := range e.hist[k] {
		for i := range p[h<<b : (h+1)<<b] {
			p[h<<b|gram(i)] *= 1 - e.take[k]
		}
	}
	for g, n := range e.events[k] {
		p[g] += e.take[k] * float64(n) / float64(e.hist[k][g>>b])
	}
	return p
}

func (t *table) start() gram { return 0 } // boundaries only

func (t *table) run(syms []symbol, state gram, sum float64) (gram, float64) {
	bits, mask, diff := t.bits, t.mask, t.diff
	at := uint32(state)
	for _, s := range syms {
		at = (at<<bits | uint32(s)) & mask
		sum += float64(diff[at])
	}
	return gram(at), sum
}
