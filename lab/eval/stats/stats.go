// Package stats contains deterministic statistical inference for comparisons of systems: bootstrap
// intervals ([Resample], [Interval]), the signed-rank test ([SignedRank]) and the paired t test
// ([PairedT]).
package stats

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Resample calls fn for each of samples bootstrap samples: n indexes drawn from 0..n-1 with
// replacement (Efron, Bootstrap methods: another look at the jackknife, Ann. Statist. 7, 1979). The
// slice is reused. The samples depend only on the arguments.
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

// Interval returns the percentile interval of the values with the given level, such as 0.95. It
// sorts values. It interpolates between values like numpy.quantile. Without values it returns NaN.
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

// Harmonic returns the harmonic mean of two rates, 0 if both are 0: of precision and recall, F1.
func Harmonic(p, r float64) float64 {
	if p+r == 0 {
		return 0
	}
	return 2 * p * r / (p + r)
}

// Mean returns the mean, NaN without values.
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

// MeanInterval returns the confidence interval of the mean with the given level, such as .95, by
// Student's t; NaN for fewer than two values.
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
	// P is the p-value: the probability of a statistic at least as extreme if the two systems do
	// not differ.
	P float64
	// N is the number of pairs used. The signed-rank test ignores pairs without a difference.
	N int
	// Exact is set if P is computed from all sign patterns, not from the normal approximation.
	Exact bool
}

// PairedT computes Student's t test on the differences of pairs, with N-1 degrees of freedom. With
// fewer than two pairs P is NaN. If all differences are equal, P is 0 or 1.
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

// exactUpTo is the maximum number of differences for which the signed-rank test enumerates all sign
// patterns.
const exactUpTo = 25

// SignedRank computes the signed-rank test of Wilcoxon (Individual comparisons by ranking methods,
// Biometrics Bull. 1, 1945). Differences of 0 are ignored; equal differences share the mean of
// their ranks. Up to 25 differences P is exact, also with ties, over all sign patterns of the
// ranks. Beyond that it is the normal approximation with the correction of the variance for ties
// and without one for continuity.
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
	doubled := make([]int, n) // twice the rank, so that shared ranks are integers
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

// lowerTail returns the fraction of all 2^n subsets of ranks with a sum of at most limit.
func lowerTail(ranks []int, limit int) float64 {
	ways := make([]float64, limit+1) // integers below 2^25: exact
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

// OneSampleT computes Student's t test of the mean of values against mu, with N-1 degrees of
// freedom; see [PairedT] for few or equal values.
func OneSampleT(values []float64, mu float64) Test {
	diffs := make([]float64, len(values))
	for i, v := range values {
		diffs[i] = v - mu
	}
	return PairedT(diffs)
}

// McNemar computes the test of McNemar (Note on the sampling error of the difference between
// correlated proportions or percentages, Psychometrika 12, 1947) on the numbers of pairs of which
// only the first, or only the second, is a success. P is exact: the probability of an at least
// equally uneven split of fair coin flips. Statistic is the smaller of the two counts.
func McNemar(first, second int) Test {
	n, small := first+second, min(first, second)
	t := Test{Statistic: float64(small), P: 1, N: n, Exact: true}
	if 2*small < n {
		t.P = min(1, 2*mathext.RegIncBeta(float64(n-small), float64(small+1), 0.5))
	}
	return t
}

// Holm corrects the p-values of several tests for their number (Holm, A simple sequentially
// rejective multiple test procedure, Scand. J. Statist. 6, 1979), in the order of ps. NaN is
// unchanged and ignored.
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

// alpha is the significance level of [Arrow].
const alpha = .05

// Arrow returns "↑" or "↓" for a difference whose p-value p is below alpha, doubled if the
// p-value after [Holm]'s correction is too, otherwise "".
func Arrow(difference, p, holm float64) string {
	arrow := "↑"
	if difference < 0 {
		arrow = "↓"
	}
	switch {
	case holm < alpha:
		return arrow + arrow
	case p < alpha:
		return arrow
	}
	return ""
}
