package ncleaner

import "math"

// Estimator computes the smoothed probabilities of one model (equation 1):
//
//	Pr(c|h) = (1-q)/(1-q^n) * sum for k = 0..n-1 of q^k Pr(c | h without its k first symbols)
//
// in the recursive form
//
//	Pr_k(c|h) = a_k N(hc)/N(h) + (1-a_k) Pr_k-1(c|h'),  a_k = (1-q)/(1-q^k)
//	Pr_1(c)   = (N(c)+1) / (N+V)
//
// with h' = h without its first symbol and V symbols in the alphabet. An unseen history has
// no conditional probabilities. The equation then uses the longest seen history, so that
// probabilities always sum to 1.
type Estimator struct {
	a    *Alphabet
	n    int
	take [maxN + 1]float64 // a_k
	// events[k] holds the counts of the k-grams, hist[k] the counts of the histories of the
	// k-grams (k-1 symbols).
	events, hist [maxN + 1]map[gram]int64
	total        int64
}

// NewEstimator returns the model of the n-gram counts c.
func NewEstimator(a *Alphabet, n int, c Counts, q float64) *Estimator {
	e := &Estimator{a: a, n: n, total: c.total()}
	e.events[n] = c
	for k := n; k >= 1; k-- {
		if k < n {
			m := maskOf(k, a.bits)
			e.events[k] = make(map[gram]int64)
			for g, times := range e.events[k+1] {
				e.events[k][g&m] += times
			}
		}
		e.hist[k] = make(map[gram]int64)
		for g, times := range e.events[k] {
			e.hist[k][g>>a.bits] += times
		}
		e.take[k] = (1 - q) / (1 - math.Pow(q, float64(k)))
	}
	return e
}

// prob returns Pr_k of the last symbol of the k-gram g given the symbols before it.
func (e *Estimator) prob(g gram, k int) float64 {
	if k == 1 {
		return float64(e.events[1][g]+1) / float64(e.total+int64(e.a.size))
	}
	p := e.prob(g&maskOf(k-1, e.a.bits), k-1)
	h := e.hist[k][g>>e.a.bits]
	if h == 0 {
		return p
	}
	return e.take[k]*float64(e.events[k][g])/float64(h) + float64((1-e.take[k])*p)
}

// Relative returns the relative frequency of the last symbol of an n-gram given the k-1
// symbols before it. For k = 1 it is smoothed by adding one. ok reports whether that history
// was seen.
func (e *Estimator) Relative(g uint64, k int) (share float64, ok bool) {
	g &= maskOf(k, e.a.bits)
	if k == 1 {
		return e.prob(g, 1), true
	}
	h := e.hist[k][g>>e.a.bits]
	if h == 0 {
		return 0, false
	}
	return float64(e.events[k][g]) / float64(h), true
}

// seen reports whether the history h of k-1 symbols was seen.
func (e *Estimator) seen(h gram, k int) bool { return e.hist[k][h] > 0 }
