package ncleaner

import "math"

// A Model has one of two scorers. Both add up, over the symbols of a segment,
// the difference of the two models' log probabilities: start returns the state
// before the first symbol, run scores symbols from a state and returns the
// next one. They are immutable and allocate nothing.

// maxDense is the greatest number of entries of a table: 8 MB.
const maxDense = 1 << 21

// table is the scorer of small n-grams: one difference for each possible
// n-gram, looked up by the packed symbols themselves. One load and one
// addition a character. The state is the packed n-gram.
type table struct {
	bits int
	mask uint32
	diff []float32 // log2 Pr_clean - log2 Pr_dirty
}

// dense tells whether n-grams of this size fit a table.
func dense(a *alphabet, n int) bool { return n*a.bits < 32 && 1<<(n*a.bits) <= maxDense }

// newTable computes the table of the pair clean, dirty.
func newTable(clean, dirty *estimator) *table {
	n, a := clean.n, clean.a
	t := &table{bits: a.bits, mask: uint32(maskOf(n, a.bits)), diff: make([]float32, 1<<(n*a.bits))}
	// Order by order: what the shorter n-gram has is the second part of what
	// the longer one has.
	pc, pd := make([]float64, 1<<a.bits), make([]float64, 1<<a.bits)
	for s := range a.size {
		pc[s], pd[s] = clean.prob(gram(s), 1), dirty.prob(gram(s), 1)
	}
	for k := 2; k <= n; k++ {
		pc, pd = clean.extend(pc, k), dirty.extend(pd, k)
	}
	for i := range t.diff {
		if pc[i] > 0 {
			t.diff[i] = float32(math.Log2(pc[i] / pd[i]))
		}
	}
	return t
}

// extend returns the probabilities of all k-grams from those of the k-1-grams.
func (e *estimator) extend(shorter []float64, k int) []float64 {
	b := e.a.bits
	p := make([]float64, 1<<(k*b))
	low := gram(len(shorter) - 1)
	for g := range p {
		p[g] = shorter[gram(g)&low]
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

func (t *table) start() uint32 { return 0 } // boundaries only

func (t *table) run(syms []symbol, state uint32, sum float64) (uint32, float64) {
	bits, mask, diff := t.bits, t.mask, t.diff
	for _, s := range syms {
		state = (state<<bits | uint32(s)) & mask
		sum += float64(diff[state])
	}
	return state, sum
}
