package corpus

// Keyness is one way to say how much more a focus corpus uses a word than a
// reference corpus. Higher is more; what both use alike is 1 for the simple
// measure and 0 for the others.
type Keyness struct {
	// Key names the measure in tables and JSON; Name is for people.
	Key, Name string
	// Formula is written in f1, f2 (frequencies), N1, N2 (tokens), fpm1, fpm2
	// (hits per million tokens), n (smoothing), E1, E2 (frequencies expected if
	// both corpora were one).
	Formula string
	// Score computes it; finite for all counts that are not negative.
	Score func(f1, n1, f2, n2 int64, smoothing float64) float64
}

// KeynessMeasures are all measures of keyness, the one that sorts by default
// first. The formulas are those of Manatee 2.225, corp/keyword.cc, but
// that log-likelihood is defined for words the reference lacks (0 ln 0 = 0,
// where Manatee prints NaN), and that it and chi2 are negative for words that
// the reference uses more.
var KeynessMeasures = []Keyness{
	{"simple", "simple maths", "(fpm1+n) / (fpm2+n)", simpleMaths},
	{"logl", "log-likelihood", "2 (f1 ln(f1/E1) + f2 ln(f2/E2))", keynessLogL},
	{"chi2", "chi-squared", "(f1-E1)^2/E1 + (f2-E2)^2/E2", keynessChi2},
	{"din", "difference index", "100 (fpm1-fpm2) / (fpm1+fpm2)", keynessDIN},
}

// keynessByName returns the index in KeynessMeasures of a key, -1 for none.
func keynessByName(name string) int {
	for i, m := range KeynessMeasures {
		if name == m.Key {
			return i
		}
	}
	return -1
}

// simpleMaths is Kilgarriff's measure, "Simple maths for keywords", Corpus
// Linguistics 2009. Smoothing must be above 0; a large one brings frequent
// words to the top, a small one rare ones.
func simpleMaths(f1, n1, f2, n2 int64, smoothing float64) float64 {
	return (PerMillion(f1, n1) + smoothing) / (PerMillion(f2, n2) + smoothing)
}

// expected returns the frequencies that both corpora would have if both used
// the word alike.
func expected(f1, n1, f2, n2 int64) (e1, e2 float64) {
	both, tokens := float64(f1)+float64(f2), float64(n1)+float64(n2)
	if tokens == 0 {
		return 0, 0
	}
	return float64(n1) / tokens * both, float64(n2) / tokens * both
}

// signed is negative where the reference uses the word more.
func signed(score float64, f1, n1, f2, n2 int64) float64 {
	if PerMillion(f1, n1) < PerMillion(f2, n2) {
		return -score
	}
	return score
}

// keynessLogL is the log-likelihood of Rayson and Garside 2000, "Comparing
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

// keynessDIN is the difference index of Fidler and Cvrček 2015, "A data-driven
// analysis of reader viewpoints": -100 to 100.
func keynessDIN(f1, n1, f2, n2 int64, _ float64) float64 {
	p1, p2 := PerMillion(f1, n1), PerMillion(f2, n2)
	if p1+p2 == 0 {
		return 0
	}
	return 100 * (p1 - p2) / (p1 + p2)
}
