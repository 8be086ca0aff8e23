package words

import (
	"math"

	"chaffinch/internal/parallel"
	"chaffinch/text/lm"
)

// trieSpec estimates a model in memory.
func (b *Builder) trieSpec(f *final) (*lm.Spec, error) {
	t := newTrie(b.counts, f)
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
		s.Grams = append(s.Grams, &trieGrams{t, k + 1, toLogs(p, backoff)})
		b.stats.Ngrams = append(b.stats.Ngrams, uint64(len(next)))
		p = next
	}
	s.Grams = append(s.Grams, &trieGrams{t, t.order, toLogs(p, nil)})
	b.stats.Kept = b.stats.Ngrams
	return s, nil
}

// estimate returns the probabilities of the n-grams of a level and the back-off weights of their
// contexts, NaN for an n-gram that is not a context; see [kneserNey]. below are the probabilities of
// the order below. Each context adds its n-grams in the order of their last words.
func (t *trie) estimate(k int, below []float64, d [3]float64) (p, backoff []float64) {
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
	for end := range below {
		for i := l.first[end]; i < l.first[end+1]; i++ {
			n, c := l.count[i], l.context[i]
			u := (float64(n) - d[min(n, 3)-1]) / sums[c]
			p[i] = u + float64(backoff[c]*below[end])
		}
	}
	l.context, l.count = nil, nil
	return p, backoff
}

// toLogs returns the logarithms of probabilities and back-off weights, which may be nil.
func toLogs(p, backoff []float64) []logs {
	all := make([]logs, len(p))
	const part = 1 << 16
	parallel.Each(0, (len(p)+part-1)/part, func(at int) {
		for i := at * part; i < min((at+1)*part, len(p)); i++ {
			all[i].prob = float32(min(0, math.Log10(p[i])))
			if backoff != nil && !math.IsNaN(backoff[i]) {
				all[i].backoff = float32(math.Log10(backoff[i]))
			}
		}
	})
	return all
}

// trieGrams holds the n-grams of order k for the model file.
type trieGrams struct {
	t    *trie
	k    int
	logs []logs
}

func (g *trieGrams) Len() uint64 { return uint64(len(g.logs)) }

func (g *trieGrams) Open() (lm.GramReader, error) { return &trieReader{g: g}, nil }

// trieReader reads the n-grams of an order.
type trieReader struct {
	g     *trieGrams
	at    [lm.MaxOrder]int // the current n-gram of each order, the end of the n-gram of the next order
	words [lm.MaxOrder]uint32
	begun bool
}

func (r *trieReader) Next(x *lm.Gram) (bool, error) {
	k := r.g.k - 1
	if r.begun {
		r.at[k]++
	}
	i := r.at[k]
	if i == len(r.g.logs) {
		return false, nil
	}
	if k == 0 {
		r.words[0] = uint32(i)
	} else {
		r.words[k] = lm.Unscramble(r.g.t.levels[k-1].left[i], r.g.t.words)
		for moved := true; moved && k > 0; k-- {
			moved = r.end(k)
		}
	}
	r.begun = true
	*x = lm.Gram{Words: r.words, Prob: r.g.logs[i].prob, Backoff: r.g.logs[i].backoff}
	return true, nil
}

// end moves the n-gram of k words to the end of the n-gram that is a word longer, and reports whether
// it is another one, or the first one.
func (r *trieReader) end(k int) bool {
	first, at := r.g.t.levels[k-1].first, r.at[k-1]
	for int(first[at+1]) <= r.at[k] {
		at++
	}
	if r.begun && at == r.at[k-1] {
		return false
	}
	r.at[k-1] = at
	if k == 1 {
		r.words[0] = uint32(at)
	} else {
		r.words[k-1] = lm.Unscramble(r.g.t.levels[k-2].left[at], r.g.t.words)
	}
	return true
}
