package labels

import (
	"cmp"
	"math"
	"slices"

	"chaffinch/text/label"
)

// curves fits the probabilities of the classes to held-out scores of some documents.
func (t *trainer) curves(scores [][]float32, docs []int) []curve {
	out := make([]curve, len(t.classes.names))
	if t.cfg.Several {
		for c := range out {
			var list []float64
			var is []bool
			for _, i := range docs {
				if t.truths[i][c] >= 0 {
					list, is = append(list, float64(scores[i][c])), append(is, t.truths[i][c] > 0)
				}
			}
			out[c] = platt(list, is)
		}
		return out
	}
	for _, siblings := range t.classes.siblings() {
		var rows [][]float64
		var class []int
		for _, i := range docs {
			at := slices.IndexFunc(siblings, func(c int) bool { return t.truths[i][c] > 0 })
			if at < 0 {
				continue // another parent
			}
			row := make([]float64, len(siblings))
			for k, c := range siblings {
				row[k] = float64(scores[i][c])
			}
			rows, class = append(rows, row), append(class, at)
		}
		if len(rows) == 0 {
			continue
		}
		for k, c := range softmax(rows, class) {
			out[siblings[k]] = c
		}
	}
	return out
}

// siblings returns the classes of each parent.
func (c *classes) siblings() (list [][]int) {
	at := map[int]int{}
	for k, p := range c.parents {
		n, ok := at[p]
		if !ok {
			n = len(list)
			at[p] = n
			list = append(list, nil)
		}
		list[n] = append(list[n], k)
	}
	return list
}

// decisions converts scores to probabilities and classes.
type decisions struct {
	model *label.Model
	label.Weights
}

// decider returns decisions without weights, with the given curves. Limits are 0.
func (t *trainer) decider(curves []curve) *decisions {
	d := &decisions{Weights: label.Weights{Config: t.config()}}
	k := len(curves)
	for c, v := range curves {
		d.Classes = append(d.Classes, label.Class{Name: t.classes.names[c], Parent: t.classes.parents[c], Slope: v.slope, Offset: v.offset})
	}
	d.Grams, d.Unit, d.Bias = make([]int8, label.Stats*label.Steps*k), make([]float32, k), make([]float32, k)
	for range label.Stats {
		d.Cuts = append(d.Cuts, make([]float32, label.Steps-1))
	}
	d.build()
	return d
}

func (d *decisions) build() {
	m, err := label.New(d.Weights)
	if err != nil {
		panic(err) // the parameters fit together
	}
	d.model = m
}

// probabilities returns the probabilities of documents with the given scores.
func (d *decisions) probabilities(scores [][]float32) [][]float64 {
	s := label.NewScorer()
	out := make([][]float64, len(scores))
	for i, v := range scores {
		out[i] = slices.Clone(s.Probabilities(d.model, v))
	}
	return out
}

// chooseLimits sets the limits from the held-out probabilities of some documents.
func (t *trainer) chooseLimits(d *decisions, p [][]float64, docs []int) {
	switch {
	case t.cfg.Precision+t.cfg.Recall > 0:
		for c := range d.Classes { // parents first
			d.Classes[c].Limit = t.limitOf(d, p, docs, c)
			d.build()
		}
	case t.cfg.Several:
		limit := t.bestLimit(d, p, docs)
		for c := range d.Classes {
			d.Classes[c].Limit = limit
		}
		d.build()
	}
}

// scored is a probability and whether it is of the right class.
type scored struct {
	p     float64
	right bool
}

// limitOf returns the limit of a class with the wanted precision, and the most documents, or recall.
// Only documents that have the class without its limit are over it: of exclusive classes, the most
// probable one.
func (t *trainer) limitOf(d *decisions, p [][]float64, docs []int, class int) float64 {
	var list []scored
	var got []int
	positive := 0
	for _, i := range docs {
		x := t.truths[i][class]
		if x < 0 {
			continue
		}
		positive += int(x)
		if got = d.model.Decide(p[i], got[:0]); t.cfg.Several || slices.Contains(got, class) {
			list = append(list, scored{p[i][class], x > 0})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.p, a.p) })
	limit, right := 1.0, 0
	for n, s := range list {
		if s.right {
			right++
		}
		if t.cfg.Precision > 0 && float64(right) >= t.cfg.Precision*float64(n+1) {
			limit = s.p
		}
		if t.cfg.Recall > 0 && float64(right) >= t.cfg.Recall*float64(positive) {
			return s.p
		}
	}
	if t.cfg.Recall > 0 { // out of reach: all documents
		return 0
	}
	return limit
}

// bestLimit returns the limit of all classes with the highest micro F1.
func (t *trainer) bestLimit(d *decisions, p [][]float64, docs []int) float64 {
	limit, best := .5, -1.0
	const grid = 40
	for k := 1; k < grid; k++ {
		at := float64(k) / grid
		for c := range d.Classes {
			d.Classes[c].Limit = at
		}
		d.build()
		var n Counts
		var got []int
		for _, i := range docs {
			got = d.model.Decide(p[i], got[:0])
			n.add(t.truths[i], got, nil)
		}
		// Limits of about the same F1 are equally good: the one nearest to .5 is chosen.
		if f := n.F1(); f > best+1e-9 || f > best-1e-9 && math.Abs(at-.5) < math.Abs(limit-.5) {
			limit, best = at, f
		}
	}
	return limit
}

// calibrateAll calibrates the model on the held-out scores of all documents, and reports decisions
// about each fold by calibrations on the other folds.
func (t *trainer) calibrateAll(w *label.Weights) {
	all := make([]int, len(t.docs))
	for i := range all {
		all[i] = i
	}
	d := t.calibrated(t.scores, all)
	w.Classes = d.Classes
	for c := range w.Classes {
		for _, tr := range t.truths {
			if tr[c] > 0 {
				w.Classes[c].Docs++
			}
		}
	}
	w.Limits = t.limits(d.probabilities(t.scores))
	p, got := t.judge(t.scores)
	t.rep.fill(t, p, got, d)
}

// calibrated returns decisions that are calibrated on some documents.
func (t *trainer) calibrated(scores [][]float32, docs []int) *decisions {
	d := t.decider(t.curves(scores, docs))
	t.chooseLimits(d, d.probabilities(scores), docs)
	return d
}

// judge returns the probabilities and classes of all documents. Each fold is judged by calibrations
// on the other folds.
func (t *trainer) judge(scores [][]float32) (p [][]float64, got [][]int) {
	p, got = make([][]float64, len(t.docs)), make([][]int, len(t.docs))
	s := label.NewScorer()
	for k := range t.cfg.Folds {
		var others []int
		for i, f := range t.fold {
			if f != k {
				others = append(others, i)
			}
		}
		d := t.calibrated(scores, others)
		for i, f := range t.fold {
			if f == k {
				p[i] = slices.Clone(s.Probabilities(d.model, scores[i]))
				got[i] = d.model.Decide(p[i], nil)
			}
		}
	}
	return p, got
}

// minLangGroup is the minimum number of documents without the class for a separate limit of a group of
// languages.
const minLangGroup = 60

// limits returns the limits of the first class at the losses of the configuration, nil for none.
// The first group is the group of all other languages.
func (t *trainer) limits(p [][]float64) *label.Limits {
	if len(t.cfg.Losses) == 0 {
		return nil
	}
	l := &label.Limits{Losses: t.cfg.Losses}
	for _, g := range append([]LangGroup{{}}, t.cfg.LangGroups...) {
		var kept []float64
		for i, tr := range t.truths {
			if tr[0] == 0 && (g.Langs == nil || slices.ContainsFunc(g.Langs, func(lang string) bool { return label.Base(lang) == label.Base(t.docs[i].Lang) })) {
				kept = append(kept, p[i][0])
			}
		}
		if g.Langs != nil && len(kept) < minLangGroup || len(kept) == 0 {
			continue
		}
		slices.Sort(kept)
		out := label.Group{Name: g.Name, Langs: g.Langs, Docs: len(kept)}
		for _, loss := range t.cfg.Losses {
			out.Limits = append(out.Limits, kept[len(kept)-1-int(loss*float64(len(kept)))])
		}
		l.Groups = append(l.Groups, out)
	}
	return l
}
