package words

import (
	"math"

	"chaffinch/internal/parallel"
	"chaffinch/text/lm"
)

// trieSpec estimates a model in memory.
func trieSpec[K uint32 | uint64](b *Builder, f *final) (*lm.Spec, error) {
	t := newTrie[K](b.counts, f)
	b.counts = nil
	e := &kneserNey{b: b, f: f}
	var err error
	if e.d, err = b.discounts(t.ccs); err != nil {
		return nil, err
	}
	uni := make([]group, len(f.words))
	for w := range uni {
		n := t.levels[0].first[w+1] - t.levels[0].first[w]
		uni[w] = group{n: uint64(n), mass: float64(n)}
	}
	e.unigrams(uni)
	s := b.newSpec(f)
	b.stats.Ngrams = []uint64{uint64(len(f.words))}
	p := e.p
	for k := range t.levels {
		next, backoff := t.estimate(k, p, e.d[k+1])
		s.Columns = append(s.Columns, t.columns(k, toLogs(p, 0), toLogs(backoff, math.Inf(1))))
		b.stats.Ngrams = append(b.stats.Ngrams, uint64(len(next)))
		p = next
	}
	s.Columns = append(s.Columns, t.columns(len(t.levels), toLogs(p, 0), nil))
	b.stats.Kept = b.stats.Ngrams
	return s, nil
}

// estimate returns the probabilities of the n-grams of a level and the back-off weights of their
// contexts, NaN for an n-gram that is not a context; see [kneserNey]. below are the probabilities of
// the order below. Each context adds its n-grams in the order of their last words.
func (t *trie[K]) estimate(k int, below []float64, d [3]float64) (p, backoff []float64) {
	l := &t.levels[k]
	sums, backoff := make([]float64, len(below)), make([]float64, len(below))
	for i, c := range l.context {
		n := l.count[i]
		sums[c] += float64(n)
		backoff[c] += d[min(n, 3)-1]
	}
	for c := range backoff {
		backoff[c] /= sums[c]
	}
	p = make([]float64, len(l.left))
	eachPart(len(below), func(from, to int) {
		for end := from; end < to; end++ {
			for i := l.first[end]; i < l.first[end+1]; i++ {
				n, c := l.count[i], l.context[i]
				u := (float64(n) - d[min(n, 3)-1]) / sums[c]
				p[i] = u + float64(backoff[c]*below[end])
			}
		}
	})
	l.context, l.count = nil, nil
	return p, backoff
}

// columns returns the n-grams of k+1 words with their values.
func (t *trie[K]) columns(k int, probs, backoff []float32) (c lm.Columns) {
	c.Prob, c.Backoff = probs, backoff
	if k > 0 {
		c.Left = t.levels[k-1].left
	}
	if k < len(t.levels) {
		c.First = t.levels[k].first
	}
	return c
}

// toLogs returns the logarithms of probabilities or back-off weights, at most most, and 0 for NaN.
func toLogs(p []float64, most float64) []float32 {
	all := make([]float32, len(p))
	eachPart(len(p), func(from, to int) {
		for i := from; i < to; i++ {
			if !math.IsNaN(p[i]) {
				all[i] = float32(min(most, math.Log10(p[i])))
			}
		}
	})
	return all
}

// eachPart divides 0 to n-1 into parts and calls fn for each, several at once.
func eachPart(n int, fn func(from, to int)) {
	const part = 1 << 16
	parallel.Each(0, (n+part-1)/part, func(at int) { fn(at*part, min((at+1)*part, n)) })
}
