package corpus

import "math"

// Measure is a measure of association.
type Measure struct {
	// Code is the letter that identifies the measure in Manatee and related tools.
	Code byte
	// Key identifies the measure in tables and JSON. Name is the display name.
	Key, Name string
	// Formula uses f (hits that have the collocate in their window), a (frequency
	// of the collocate in the corpus), b (hits of the query) and N (tokens of the
	// corpus).
	Formula string
	// Score computes the measure. It is 0 if f, a, b or n is 0, and finite
	// otherwise.
	Score func(f, a, b, n float64) float64
}

// Measures lists all measures of association, the default first. Formulas:
// Manatee 2.225, corp/bgrstat.cc; their papers are in docs/guides/corpus-statistics.md.
var Measures = []Measure{
	{'d', "logdice", "logDice", "14 + log2(2f / (a+b))", seen(func(f, a, b, _ float64) float64 { return 14 + math.Log2(2*f/(a+b)) })},
	{'t', "tscore", "T-score", "(f - ab/N) / sqrt(f)", seen(func(f, a, b, n float64) float64 { return (f - a*b/n) / math.Sqrt(f) })},
	{'m', "mi", "MI", "log2(fN / ab)", seen(mutual)},
	{'3', "mi3", "MI3", "log2(f^3 N / ab)", seen(func(f, a, b, n float64) float64 { return mutual(f, a, b, n) + 2*math.Log2(f) })},
	{'l', "loglikelihood", "log-likelihood", "2 * sum O ln(O/E) over the four cells", seen(logLikelihood)},
	{'s', "minsens", "minimum sensitivity", "min(f/a, f/b)", seen(func(f, a, b, _ float64) float64 { return min(f/a, f/b) })},
	{'p', "mi_logf", "MI.log_f", "MI * ln(f+1)", seen(func(f, a, b, n float64) float64 { return mutual(f, a, b, n) * math.Log1p(f) })},
	{'C', "mi_logfpm", "MI.log_fpm", "MI * ln(1.5 + f per million)", seen(func(f, a, b, n float64) float64 { return mutual(f, a, b, n) * math.Log(1.5+1e6*f/n) })},
	{'r', "relfreq", "relative frequency", "100 f/a", seen(func(f, a, _, _ float64) float64 { return 100 * f / a })},
	{'D', "dice", "Dice", "100 * 2f / (a+b)", seen(func(f, a, b, _ float64) float64 { return 100 * 2 * f / (a + b) })},
	{'1', "log10dice", "log10 Dice", "5 + log10(2f / (a+b))", seen(func(f, a, b, _ float64) float64 { return 5 + float64(math.Log10(2*f/(a+b))) })},
	{'f', "hits", "hits", "f", seen(func(f, _, _, _ float64) float64 { return f })},
	{'F', "freq", "frequency", "a", seen(func(_, a, _, _ float64) float64 { return a })},
}

// MeasureByName returns the index in Measures of a letter code or key, or -1.
func MeasureByName(name string) int {
	for i, m := range Measures {
		if name == string(m.Code) || name == m.Key {
			return i
		}
	}
	return -1
}

// seen returns score with value 0 where it is not defined.
func seen(score func(f, a, b, n float64) float64) func(f, a, b, n float64) float64 {
	return func(f, a, b, n float64) float64 {
		if !(f > 0 && a > 0 && b > 0 && n > 0) {
			return 0
		}
		return score(f, a, b, n)
	}
}

// mutual computes pointwise mutual information in bits; Church and Hanks 1990. The
// quotients avoid overflow and loss of precision for products of large counts.
func mutual(f, a, b, n float64) float64 { return math.Log2(f / a * (n / b)) }

// logLikelihood computes Dunning's G2 (1993) over the table of collocate against
// query. One occurrence of a collocate may be in the windows of several hits. So f
// is capped at a and b, and no cell is negative.
func logLikelihood(f, a, b, n float64) float64 {
	n = max(n, a, b)
	f = min(f, a, b)
	rest := func(x float64) float64 { return max(x, 0) }
	return 2 * (deviance(f, a/n*b) + deviance(a-f, a/n*(n-b)) + deviance(b-f, b/n*(n-a)) + deviance(rest(n-a-b+f), (n-a)/n*(n-b)))
}

// deviance returns o ln(o/e) - o + e, which is never negative. Observed and expected
// counts of a table have the same total, so its sum over the table is sum o ln(o/e).
// It avoids the plain sum's loss of precision in large corpora. Loader 2000, "Fast and
// accurate computation of binomial probabilities".
func deviance(o, e float64) float64 {
	switch {
	case o <= 0:
		return max(e, 0)
	case e <= 0:
		return 0 // o is a rounding error: the expected count is zero
	case math.Abs(o-e) < 0.1*(o+e):
		v := (o - e) / (o + e)
		sum, term := (o-e)*v, 2*o*v
		for j := 3.0; ; j += 2 {
			term *= v * v
			next := sum + term/j
			if next == sum {
				return sum
			}
			sum = next
		}
	}
	return float64(o*math.Log(o/e)) + e - o
}

// PerMillion returns hits per million tokens, 0 in an empty corpus.
func PerMillion(hits, tokens int64) float64 {
	if tokens == 0 {
		return 0
	}
	return 1e6 * float64(hits) / float64(tokens)
}
