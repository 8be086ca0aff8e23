package langid

import (
	"cmp"
	"math"
	"slices"

	"chaffinch/text/langid/evidence"
)

// row holds the weights of a feature for the languages of its script.
type row struct {
	key     uint64
	order   int       // of an n-gram; 0 = word
	classes []uint16  // of the model
	weights []float32 // relative to the languages that are not listed
	start   []float32 // weights before the regression
	step    []float32 // sums of squared gradients
	longer  bool      // it is the suffix of a longer n-gram
}

// estimator computes the rows of one script.
type estimator struct {
	inv   *inventory
	cfg   Config
	base  int                  // number of the first class
	grams map[uint64][]float32 // results of dense, which are many
}

// dense returns log(P(n-gram | class)/mean P) for each class. The probability of an n-gram is the
// probability of its suffix times the probability of its first character before that suffix,
// smoothed by the probability over all classes.
func (e *estimator) dense(f *feature) []float32 {
	if r := e.grams[f.key]; r != nil {
		return r
	}
	n := len(e.inv.texts)
	r := make([]float32, n)
	mu := e.cfg.Smoothing
	own := make([]float64, n)
	for _, c := range f.counts {
		own[c.class] = float64(c.n)
	}
	if p := e.inv.byKey[f.parent]; f.order > 1 && p != nil {
		up := make([]float64, n)
		for _, c := range p.counts {
			up[c.class] = float64(c.n)
		}
		above := e.dense(p)
		q := e.inv.mean(f) / e.inv.mean(p)
		for i := range r {
			r[i] = above[i] + float32(math.Log((own[i]+float64(mu*q))/(up[i]+mu)/q))
		}
	} else {
		q := e.inv.mean(f)
		for i := range r {
			r[i] = float32(math.Log((own[i] + float64(mu*q)) / (e.inv.grams[i] + mu) / q))
		}
	}
	e.grams[f.key] = r
	return r
}

// denseWord is dense for a word. The estimate for a word that was not seen in a class is the mean
// frequency, adjusted by the word's n-grams.
func (e *estimator) denseWord(f *feature) []float64 {
	n := len(e.inv.texts)
	r := make([]float64, n)
	spelled := e.spelled(f.codes)
	q := e.inv.mean(f)
	own := make([]float64, n)
	for _, c := range f.counts {
		own[c.class] = float64(c.n)
	}
	for i := range r {
		prior := float64(e.cfg.WordPrior * q * math.Exp(max(-3, min(3, spelled[i]))))
		seen, of := e.inv.seen(f, i, own[i])
		r[i] = math.Log((seen + prior) / (of + e.cfg.WordPrior) / q)
	}
	return r
}

// spelled returns the sum over the n-grams of a word.
func (e *estimator) spelled(codes []uint16) []float64 {
	sum := make([]float64, len(e.inv.texts))
	var longest *feature
	evidence.EachGram(e.inv.script, e.inv.salt, codes, func(key, _ uint64, order int) {
		if f := e.inv.byKey[key]; f != nil && f.order > 0 {
			longest = f
		}
	}, func(int) {
		if longest != nil {
			for i, v := range e.dense(longest) {
				sum[i] += float64(e.cfg.GramWeight * float64(v))
			}
		}
		longest = nil
	})
	return sum
}

// values returns the dense row of a feature as used in a score.
func (e *estimator) values(f *feature) []float64 {
	if f.order == 0 {
		return e.denseWord(f)
	}
	weight := e.cfg.GramWeight
	if e.inv.script == evidence.Hani {
		weight = 1
	}
	r := make([]float64, len(e.inv.texts))
	for i, v := range e.dense(f) {
		r[i] = float64(v) * weight
	}
	return r
}

// row keeps the values of a feature with q·d² of at least worth, where q is the relative frequency
// of the feature in running text and d the distance from the row's level.
func (e *estimator) row(f *feature, worth float64) *row {
	dense := e.values(f)
	level, kept := sparse(dense, e.countWorth(f, dense, worth))
	r := &row{key: f.key, order: f.order}
	for _, i := range kept {
		w := max(-e.cfg.RowDepth, min(e.cfg.RowDepth, dense[i]-level))
		r.classes = append(r.classes, uint16(e.base+i))
		r.weights = append(r.weights, float32(w))
	}
	r.start = slices.Clone(r.weights)
	r.step = make([]float32, len(r.weights))
	return r
}

// countWorth returns the number of values of a row to keep, measured from the median.
func (e *estimator) countWorth(f *feature, dense []float64, worth float64) int {
	sorted := slices.Clone(dense)
	slices.Sort(sorted)
	middle := sorted[len(sorted)/2]
	q := e.inv.mean(f)
	n := 0
	for _, v := range dense {
		if d := min(e.cfg.RowDepth, math.Abs(v-middle)); q*d*d >= worth {
			n++
		}
	}
	most := e.cfg.WordMax
	if f.order > 0 {
		most = e.cfg.GramMax
	}
	if len(dense) <= e.cfg.FewClasses {
		n = len(dense)
	}
	return min(max(n, e.cfg.MinPairs), most, evidence.MaxPairs, len(dense))
}

// sparse approximates a dense row by a level and the values of the n classes farthest from it. The
// level is the mean of the others; since it is the same for all classes of a script, it need not be
// stored. kept is ascending.
func sparse(dense []float64, n int) (level float64, kept []int) {
	order := make([]int, len(dense))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(dense[a], dense[b]) })
	if n >= len(order) {
		for _, v := range dense {
			level += v / float64(len(dense))
		}
		slices.Sort(order)
		return level, order
	}
	// The others are adjacent in order: the window with the lowest variance.
	rest := len(order) - n
	best := math.Inf(1)
	from := 0
	for i := range n + 1 {
		sum, square := 0.0, 0.0
		for _, c := range order[i : i+rest] {
			sum += dense[c]
			square += float64(dense[c] * dense[c])
		}
		if v := square - sum*sum/float64(rest); v < best-1e-9 {
			best, from, level = v, i, sum/float64(rest)
		}
	}
	kept = append(slices.Clone(order[:from]), order[from+rest:]...)
	slices.Sort(kept)
	return level, kept
}
