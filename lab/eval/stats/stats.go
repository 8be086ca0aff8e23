// Package stats holds the inference that comparisons of systems need: bootstrap
// intervals, the signed-rank test and the paired t test. Everything is
// deterministic.
package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Resample calls fn for each of samples bootstrap samples: n indexes drawn
// from 0..n-1 with replacement (Efron, Bootstrap methods: another look at the
// jackknife, Ann. Statist. 7, 1979). The slice is reused. The same seed draws
// the same samples, on every machine.
func Resample(n, samples int, seed uint64, fn func(sample []int)) {
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	s := make([]int, n)
	for range samples {
		for i := range s {
			s[i] = rng.IntN(n)
		}
		fn(s)
	}
}

// ResampledMeans returns the means of bootstrap samples of values; see Resample.
func ResampledMeans(values []float64, samples int, seed uint64) []float64 {
	means := make([]float64, 0, samples)
	Resample(len(values), samples, seed, func(sample []int) {
		sum := 0.
		for _, i := range sample {
			sum += values[i]
		}
		means = append(means, sum/float64(len(sample)))
	})
	return means
}

// Interval returns the percentile interval that holds the share level, such as
// 0.95, of the values; it sorts them. Between two values it interpolates, as
// numpy.quantile does. Without values it returns NaN.
func Interval(values []float64, level float64) (low, high float64) {
	slices.Sort(values)
	return Quantile(values, (1-level)/2), Quantile(values, (1+level)/2)
}

// Quantile returns the q-th quantile, 0 to 1, of sorted values, by linear
// interpolation; NaN without values.
func Quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	h := q * float64(len(sorted)-1)
	i := int(h)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + float64((h-float64(i))*(sorted[i+1]-sorted[i]))
}

// Mean returns the mean; NaN without values.
func Mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// Deviation returns the sample standard deviation, 0 for fewer than two values.
func Deviation(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	m, ss := Mean(values), 0.0
	for _, v := range values {
		ss += float64((v - m) * (v - m))
	}
	return math.Sqrt(ss / float64(len(values)-1))
}

// MeanInterval returns the interval that holds the mean of what values were drawn
// from with a probability such as .95, by Student's t; NaN for fewer than two.
func MeanInterval(values []float64, level float64) (low, high float64) {
	n := float64(len(values))
	if n < 2 {
		return math.NaN(), math.NaN()
	}
	x := mathext.InvRegIncBeta((n-1)/2, .5, 1-level)
	half := math.Sqrt((n-1)*(1-x)/x) * Deviation(values) / math.Sqrt(n)
	return Mean(values) - half, Mean(values) + half
}

// Test is the result of a two-sided test on paired differences.
type Test struct {
	// Statistic is t, or the smaller of the two sums of ranks.
	Statistic float64
	// P is the probability of a statistic at least as extreme when the two
	// systems do not differ.
	P float64
	// N counts the pairs that took part; the signed-rank test leaves out
	// those without a difference.
	N int
	// Exact tells that P comes from all sign patterns and not from the normal
	// approximation.
	Exact bool
}

// PairedT is Student's t test on the differences of pairs, with N-1 degrees of
// freedom. With fewer than two pairs, or differences that are all the same, no
// test is possible: P is NaN, or 0 or 1 where they are all equal to one value.
func PairedT(diffs []float64) Test {
	n := len(diffs)
	if n < 2 {
		return Test{Statistic: math.NaN(), P: math.NaN(), N: n}
	}
	m, sd := Mean(diffs), Deviation(diffs)
	if sd == 0 {
		if m == 0 {
			return Test{Statistic: 0, P: 1, N: n}
		}
		return Test{Statistic: math.Copysign(math.Inf(1), m), P: 0, N: n}
	}
	t := m / (sd / math.Sqrt(float64(n)))
	df := float64(n - 1)
	return Test{Statistic: t, P: mathext.RegIncBeta(df/2, 0.5, df/(df+float64(t*t))), N: n}
}

// exactUpTo is the number of differences to which the signed-rank test counts
// all sign patterns.
const exactUpTo = 25

// SignedRank is the signed-rank test of Wilcoxon (Individual comparisons by
// ranking methods, Biometrics Bull. 1, 1945). Differences of 0 are left out,
// equal ones share the mean of their ranks. Up to 25 differences P is exact
// (also with ties: over all sign patterns of the ranks at hand), beyond it is
// the normal approximation with the correction of the variance for ties and
// without one for continuity.
func SignedRank(diffs []float64) Test {
	var d []float64
	for _, v := range diffs {
		if v != 0 {
			d = append(d, v)
		}
	}
	n := len(d)
	if n == 0 {
		return Test{P: 1, Exact: true}
	}
	slices.SortFunc(d, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	doubled := make([]int, n) // twice the rank, so that shared ranks are whole
	plus, ties := 0, 0.0
	for i := 0; i < n; {
		j := i
		for j < n && math.Abs(d[j]) == math.Abs(d[i]) {
			j++
		}
		for k := i; k < j; k++ {
			doubled[k] = i + 1 + j
			if d[k] > 0 {
				plus += doubled[k]
			}
		}
		t := float64(j - i)
		ties += float64(t*t*t) - t
		i = j
	}
	total := n * (n + 1) // twice the sum of all ranks
	small := min(plus, total-plus)
	out := Test{Statistic: float64(small) / 2, N: n, Exact: n <= exactUpTo}
	if out.Exact {
		out.P = min(1, 2*lowerTail(doubled, small))
		return out
	}
	f := float64(n)
	variance := f*(f+1)*(float64(2*f)+1)/24 - ties/48
	z := (float64(small)/2 - float64(total)/4) / math.Sqrt(variance)
	out.P = math.Erfc(-z / math.Sqrt2)
	return out
}

// lowerTail returns the share of all 2^n subsets of ranks with a sum of at
// most limit.
func lowerTail(ranks []int, limit int) float64 {
	ways := make([]float64, limit+1) // whole numbers below 2^25: exact
	ways[0] = 1
	for _, r := range ranks {
		for s := limit; s >= r; s-- {
			ways[s] += ways[s-r]
		}
	}
	sum := 0.0
	for _, w := range ways {
		sum += w
	}
	return sum / math.Exp2(float64(len(ranks)))
}

// OneSampleT is Student's t test of the mean of values against mu, with N-1
// degrees of freedom; see [PairedT] for what it says of few or equal values.
func OneSampleT(values []float64, mu float64) Test {
	diffs := make([]float64, len(values))
	for i, v := range values {
		diffs[i] = v - mu
	}
	return PairedT(diffs)
}

// McNemar is the test of McNemar (Note on the sampling error of the difference
// between correlated proportions or percentages, Psychometrika 12, 1947) on the
// pairs of which only the first, or only the second, is a success. P is exact:
// the probability of at least so uneven a share of fair coins. Statistic is the
// smaller of the two counts.
func McNemar(first, second int) Test {
	n, small := first+second, min(first, second)
	t := Test{Statistic: float64(small), P: 1, N: n, Exact: true}
	if 2*small < n {
		t.P = min(1, 2*mathext.RegIncBeta(float64(n-small), float64(small+1), 0.5))
	}
	return t
}

// Holm corrects the probabilities of several tests for their number (Holm, A
// simple sequentially rejective multiple test procedure, Scand. J. Statist. 6,
// 1979), in the order of ps. NaN stays and does not count.
func Holm(ps []float64) []float64 {
	order := make([]int, 0, len(ps))
	out := slices.Clone(ps)
	for i, p := range ps {
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ps[i], ps[j]) })
	most := 0.0
	for rank, i := range order {
		most = max(most, min(1, ps[i]*float64(len(order)-rank)))
		out[i] = most
	}
	return out
}

// Alpha is the level at which [Arrow] marks a difference.
const Alpha = .05

// Arrow is "↑" or "↓" for a difference whose probability p is below [Alpha], doubled
// where the one after [Holm]'s correction is too, and "" else.
func Arrow(difference, p, holm float64) string {
	arrow := "↑"
	if difference < 0 {
		arrow = "↓"
	}
	switch {
	case holm < Alpha:
		return arrow + arrow
	case p < Alpha:
		return arrow
	}
	return ""
}
