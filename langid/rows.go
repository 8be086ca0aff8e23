package langid

import (
	"cmp"
	"math"
	"slices"
)

// row is what a feature says of the languages of its script.
type row struct {
	key     uint64
	classes []uint8   // of the model
	weights []float32 // above the languages that are not listed
	start   []float32 // weights before the regression
	step    []float32 // sums of squared gradients
}

// estimator computes the rows of one script.
type estimator struct {
	inv   *inventory
	cfg   TrainConfig
	base  int // number of the script's first class
	grams map[uint64][]float64
}

// dense returns log(P(n-gram | class)/mean P) for each class. The probability
// of an n-gram is that of its end, times the share of its first character
// before that end, smoothed by the share in all classes together.
func (e *estimator) dense(f *feature) []float64 {
	if r := e.grams[f.key]; r != nil {
		return r
	}
	n := len(e.inv.texts)
	r := make([]float64, n)
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
			r[i] = above[i] + math.Log((own[i]+mu*q)/(up[i]+mu)/q)
		}
	} else {
		q := e.inv.mean(f)
		for i := range r {
			r[i] = math.Log((own[i] + mu*q) / (e.inv.grams[i] + mu) / q)
		}
	}
	e.grams[f.key] = r
	return r
}

const (
	wordPrior  = 1000 // running words that the prior of a word is worth
	gramWeight = 0.35 // n-grams of one word overlap
)

// denseWord is dense for a word. What stands for a word that a class has not
// shown is the mean share, moved by what the word's n-grams say.
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
		prior := wordPrior * q * math.Exp(max(-3, min(3, spelled[i])))
		r[i] = math.Log((own[i] + prior) / (e.inv.words[i] + wordPrior) / q)
	}
	return r
}

// spelled adds up the n-grams of a word.
func (e *estimator) spelled(codes []uint16) []float64 {
	sum := make([]float64, len(e.inv.texts))
	longest, at := (*feature)(nil), 0
	add := func() {
		if longest != nil {
			for i, v := range e.dense(longest) {
				sum[i] += gramWeight * v
			}
		}
		longest = nil
	}
	eachGram(e.inv.script, codes, func(key, _ uint64, order int) {
		if order <= at {
			add()
		}
		at = order
		if f := e.inv.byKey[key]; f != nil && f.order > 0 {
			longest = f
		}
	})
	add()
	return sum
}

// row lists the best classes of a dense row.
func (e *estimator) row(f *feature) *row {
	var dense []float64
	factor := 1.0
	if f.order == 0 {
		dense = e.denseWord(f)
	} else {
		dense = e.dense(f)
		if e.inv.script != hani {
			factor = gramWeight
		}
	}
	order := make([]int, len(dense))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(dense[b], dense[a]) })
	level := dense[order[0]] - e.cfg.RowDepth
	keep := 0
	for keep < len(order) && keep < e.cfg.RowLangs && dense[order[keep]] > level {
		keep++
	}
	if keep < len(order) {
		level = max(level, dense[order[keep]])
	} else {
		level = dense[order[keep-1]] - 0.1
	}
	r := &row{key: f.key}
	kept := slices.Clone(order[:keep])
	slices.Sort(kept)
	for _, i := range kept {
		r.classes = append(r.classes, uint8(e.base+i))
		r.weights = append(r.weights, float32((dense[i]-level)*factor))
	}
	r.start = slices.Clone(r.weights)
	r.step = make([]float32, len(r.weights))
	return r
}
