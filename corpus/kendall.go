package corpus

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"chaffinch/internal/sorts"
)

// theilSen returns the median of the slopes of all pairs of points. x ascends. It uses buf.
func theilSen(x, y, buf []float64) float64 {
	buf = buf[:0]
	for j := range x {
		for i := range j {
			buf = append(buf, (y[j]-y[i])/(x[j]-x[i]))
		}
	}
	slices.Sort(buf)
	n := len(buf)
	if n%2 == 1 {
		return buf[n/2]
	}
	return (buf[n/2-1] + buf[n/2]) / 2
}

// exactEpochs is the maximum number of epochs for which the test is exact.
const exactEpochs = 10

// kendall performs the Mann-Kendall test. It caches exact distributions by the sizes of ties.
type kendall map[string][]float64

// p returns the two-sided p-value of a trend in y: exact for at most exactEpochs values, otherwise
// by the normal approximation with a correction for ties and for continuity.
func (k kendall) p(y []float64) float64 {
	n, s := len(y), 0
	for j := range y {
		for i := range j {
			s += cmp.Compare(y[j], y[i])
		}
	}
	ties := tieSizes(y)
	if n <= exactEpochs {
		return k.exact(ties, max(s, -s))
	}
	variance := float64(n * (n - 1) * (2*n + 5))
	for _, t := range ties {
		variance -= float64(t * (t - 1) * (2*t + 5))
	}
	if s == 0 || variance <= 0 {
		return 1
	}
	z := (math.Abs(float64(s)) - 1) / math.Sqrt(variance/18)
	return math.Erfc(z / math.Sqrt2)
}

// tieSizes returns how often each value occurs, in ascending order.
func tieSizes(y []float64) (sizes []int) {
	s := slices.Sorted(slices.Values(y))
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && s[j] == s[i] {
			j++
		}
		sizes = append(sizes, j-i)
		i = j
	}
	slices.Sort(sizes)
	return sizes
}

// exact returns the probability that the absolute value of the statistic is at least s if all orders
// of the values are equally likely. The statistic is M - 2 I, where M is the number of pairs of
// different values and I the number of inversions. The numbers of orders by inversions are the
// coefficients of the Gaussian multinomial of the sizes of ties.
func (k kendall) exact(ties []int, s int) float64 {
	key := fmt.Sprint(ties)
	d, ok := k[key]
	if !ok {
		d = []float64{1}
		n := 0
		for _, t := range ties {
			n += t
			d = times(d, gaussian(n, t))
		}
		k[key] = d
	}
	sum, all := 0.0, 0.0
	pairs := len(d) - 1
	for inversions, n := range d {
		all += n
		if x := pairs - 2*inversions; max(x, -x) >= s {
			sum += n
		}
	}
	return sum / all
}

// gaussian returns the coefficients of the Gaussian binomial of n over k, by Pascal's rule.
func gaussian(n, k int) []float64 {
	if k == 0 || k == n {
		return []float64{1}
	}
	g := make([]float64, k*(n-k)+1)
	for i, x := range gaussian(n-1, k-1) {
		g[i] += x
	}
	for i, x := range gaussian(n-1, k) {
		g[i+k] += x
	}
	return g
}

// times multiplies two polynomials.
func times(a, b []float64) []float64 {
	out := make([]float64, len(a)+len(b)-1)
	for i, x := range a {
		for j, y := range b {
			out[i+j] += float64(x * y)
		}
	}
	return out
}

// adjust sets the q-values: the lowest false discovery rates (Benjamini and Hochberg 1995) at
// which the words are significant.
func adjust(words []wordTrend) {
	order := make([]int, len(words))
	for i := range order {
		order[i] = i
	}
	sorts.Func(order, func(a, b int) int { return cmp.Or(cmp.Compare(words[a].p, words[b].p), cmp.Compare(a, b)) })
	q := 1.0
	for rank := len(order); rank > 0; rank-- {
		t := &words[order[rank-1]]
		q = min(q, t.p*float64(len(order))/float64(rank))
		t.q = q
	}
}
