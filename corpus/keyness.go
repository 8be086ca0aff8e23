package corpus

// Keyness is a measure of how much more a focus corpus uses a word than a reference
// corpus. Higher scores mean more use in the focus corpus. For equal use, the score
// is 1 for the simple measure and 0 for the others.
type Keyness struct {
	// Key identifies the measure in tables and JSON. Name is the display name.
	Key, Name string
	// Formula uses f1, f2 (frequencies), N1, N2 (tokens), fpm1, fpm2 (hits per
	// million tokens), n (smoothing), and E1, E2 (frequencies expected if both
	// corpora were one).
	Formula string
	// Score computes the measure. It is finite for all nonnegative counts.
	Score func(f1, n1, f2, n2 int64, smoothing float64) float64
}

// KeynessMeasures lists all measures of keyness, the default first. The formulas
// are from Manatee 2.225, corp/keyword.cc, with two differences. Log-likelihood is
// defined for words missing from the reference (0 ln 0 = 0, where Manatee prints
// NaN). Log-likelihood and chi2 are negative for words that the reference uses more.
var KeynessMeasures = []Keyness{
	{"simple", "simple maths", "(fpm1+n) / (fpm2+n)", simpleMaths},
	{"logl", "log-likelihood", "2 (f1 ln(f1/E1) + f2 ln(f2/E2))", keynessLogL},
	{"chi2", "chi-squared", "(f1-E1)^2/E1 + (f2-E2)^2/E2", keynessChi2},
	{"din", "difference index", "100 (fpm1-fpm2) / (fpm1+fpm2)", keynessDIN},
}

// keynessByName returns the index in KeynessMeasures of a key, or -1.
func keynessByName(name string) int {
	for i, m := range KeynessMeasures {
		if name == m.Key {
			return i
		}
	}
	return -1
}

// simpleMaths computes Kilgarriff's measure, "Simple maths for keywords", Corpus
// Linguistics 2009. Smoothing must be positive. High smoothing favors frequent
// words, low smoothing rare ones.
func simpleMaths(f1, n1, f2, n2 int64, smoothing float64) float64 {
	return (PerMillion(f1, n1) + smoothing) / (PerMillion(f2, n2) + smoothing)
}

// expected returns the frequencies expected if both corpora used the word equally.
func expected(f1, n1, f2, n2 int64) (e1, e2 float64) {
	both, tokens := float64(f1)+float64(f2), float64(n1)+float64(n2)
	if tokens == 0 {
		return 0, 0
	}
	return float64(n1) / tokens * both, float64(n2) / tokens * both
}

// signed returns the score, negated if the reference uses the word more.
func signed(score float64, f1, n1, f2, n2 int64) float64 {
	if PerMillion(f1, n1) < PerMillion(f2, n2) {
		return -score
	}
	return score
}

// keynessLogL computes the log-likelihood of Rayson and Garside 2000, "Comparing
// corpora using frequency profiling".
func keynessLogL(f1, n1, f2, n2 int64, _ float64) float64 {
	e1, e2 := expected(f1, n1, f2, n2)
	return signed(2*(deviance(float64(f1), e1)+deviance(float64(f2), e2)), f1, n1, f2, n2)
}

func keynessChi2(f1, n1, f2, n2 int64, _ float64) float64 {
	e1, e2 := expected(f1, n1, f2, n2)
	cell := func(f int64, e float64) float64 {
		if e == 0 {
			return 0
		}
		return (float64(f) - e) * (float64(f) - e) / e
	}
	return signed(cell(f1, e1)+cell(f2, e2), f1, n1, f2, n2)
}

// keynessDIN computes the difference index of Fidler and Cvrček 2015, "A data-driven
// analysis of reader viewpoints": -100 to 100.
func keynessDIN(f1, n1, f2, n2 int64, _ float64) float64 {
	p1, p2 := PerMillion(f1, n1), PerMillion(f2, n2)
	if p1+p2 == 0 {
		return 0
	}
	return 100 * (p1 - p2) / (p1 + p2)
}
