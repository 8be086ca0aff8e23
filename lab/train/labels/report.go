package labels

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/zeebo/xxh3"
)

// Counts counts decisions about classes.
type Counts struct {
	TP int `json:"tp"`
	FP int `json:"fp"`
	FN int `json:"fn"`
}

// add counts the decisions about a document, in n and by class. Unknown classes do not count.
func (n *Counts) add(t truth, got []int, byClass []Counts) {
	for c, x := range t {
		var d Counts
		switch is := slices.Contains(got, c); {
		case x < 0:
		case x > 0 && is:
			d.TP = 1
		case x > 0:
			d.FN = 1
		case is:
			d.FP = 1
		}
		n.plus(d)
		if byClass != nil {
			byClass[c].plus(d)
		}
	}
}

func (n *Counts) plus(d Counts) { n.TP, n.FP, n.FN = n.TP+d.TP, n.FP+d.FP, n.FN+d.FN }

// Precision returns the fraction of assigned classes that are right.
func (n Counts) Precision() float64 { return ratio(n.TP, n.TP+n.FP) }

// Recall returns the fraction of classes that are assigned.
func (n Counts) Recall() float64 { return ratio(n.TP, n.TP+n.FN) }

// F1 returns the harmonic mean of precision and recall.
func (n Counts) F1() float64 { return ratio(2*n.TP, 2*n.TP+n.FP+n.FN) }

func ratio(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// Class holds the figures of a class on held-out documents.
type Class struct {
	Name string `json:"name"`
	Docs int    `json:"docs"`
	Counts
	// Limit is the limit of the model.
	Limit float64 `json:"limit,omitempty"`
	// Curve lists precision and recall at other limits.
	Curve []Point `json:"curve"`
}

// Point is a limit with the precision and recall of a class, and the share of all documents over
// it.
type Point struct {
	Limit     float64 `json:"limit"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	Share     float64 `json:"share"`
}

// Part holds the figures of some held-out documents, such as all documents of a language.
type Part struct {
	Name    string  `json:"name"`
	Docs    int     `json:"docs"`
	MicroF1 float64 `json:"micro_f1"`
	// MacroF1 is the mean F1 of the classes with documents.
	MacroF1 float64 `json:"macro_f1"`
	// Exact is the fraction of documents whose classes are all right.
	Exact float64 `json:"exact"`
}

// Prediction is the decision about a held-out document.
type Prediction struct {
	ID     string   `json:"id"`
	Labels []string `json:"labels"`
	Found  []string `json:"found"`
	// P are the probabilities of the classes in the order of [Report.Classes].
	P []float64 `json:"p"`
}

// Report describes a training. All figures are of held-out documents.
type Report struct {
	// Docs is the number of documents, Groups of the sites and groups of near-duplicates that are
	// held out together.
	Docs   int `json:"docs"`
	Groups int `json:"groups"`
	// Extra is the number of documents that are only learned from.
	Extra int `json:"extra,omitempty"`
	// Short is the number of documents with too few words, which are not used. Unlearned is the
	// number of documents of omitted classes, Unlabelled of documents without a class.
	Short      int `json:"short,omitempty"`
	Unlearned  int `json:"unlearned,omitempty"`
	Unlabelled int `json:"unlabelled,omitempty"`
	// Omitted holds the sizes of classes with too few documents.
	Omitted map[string]int `json:"omitted,omitempty"`
	// Duplicates is the number of near-duplicates of earlier documents; Contradictions is the number
	// of these that have other labels.
	Duplicates     int     `json:"duplicates,omitempty"`
	Contradictions int     `json:"contradictions,omitempty"`
	Several        bool    `json:"several,omitempty"`
	All            Part    `json:"all"`
	Classes        []Class `json:"classes"`
	Langs          []Part  `json:"langs,omitempty"`
	// Sites holds the largest groups with a site.
	Sites []Part `json:"sites,omitempty"`
	// Confusion[a][b] counts documents of class a that got class b; for classes that are not
	// exclusive, documents that got b without having it.
	Confusion [][]int `json:"confusion"`
	// Other is the number of documents that got no class.
	Other int `json:"other"`
	// CalibrationError is the expected calibration error over all classes, in ten bins.
	CalibrationError float64 `json:"calibration_error"`
	// Grade holds the figures of the mean grade, nil if the classes are not numbers.
	Grade *Grade `json:"grade,omitempty"`
	// Learning holds the figures with fewer training documents.
	Learning []Part `json:"learning"`
	// Predictions holds the decision about each document.
	Predictions []Prediction `json:"-"`
	// DataSHA256 is the SHA-256 of all documents in their order.
	DataSHA256 string `json:"-"`
}

// Grade compares the mean of exclusive classes that are numbers, weighted by their probabilities, with
// the grade of the document.
type Grade struct {
	// Error is the mean absolute difference.
	Error float64 `json:"mean_error"`
	// Correlation is the coefficient of correlation (Pearson).
	Correlation float64 `json:"correlation"`
}

// grade returns the figures of the mean grade.
func (t *trainer) grade(p [][]float64) *Grade {
	var grades []float64
	for _, name := range t.classes.names {
		v, err := strconv.ParseFloat(name, 64)
		if err != nil || t.cfg.Several {
			return nil
		}
		grades = append(grades, v)
	}
	g := &Grade{}
	var x, y, xx, yy, xy float64 // sums
	for i, tr := range t.truths {
		mean := 0.0
		for c, v := range p[i] {
			mean += float64(v * grades[c])
		}
		is := grades[slices.Index(tr, 1)]
		g.Error += math.Abs(mean - is)
		x, y, xx, yy, xy = x+mean, y+is, xx+float64(mean*mean), yy+float64(is*is), xy+float64(mean*is)
	}
	n := float64(len(t.docs))
	g.Error /= n
	if v := (float64(n*xx) - float64(x*x)) * (float64(n*yy) - float64(y*y)); v > 0 {
		g.Correlation = (float64(n*xy) - float64(x*y)) / math.Sqrt(v)
	}
	return g
}

// describe counts the documents.
func (r *Report) describe(t *trainer, first []int) {
	r.Docs, r.Extra, r.Several = len(t.docs), len(t.extra), t.cfg.Several
	groups := map[string]bool{}
	for i, g := range t.groups {
		groups[g] = true
		if first[i] != i {
			r.Duplicates++
			if !slices.Equal(t.truths[i], t.truths[first[i]]) {
				r.Contradictions++
			}
		}
		if !slices.Contains(t.truths[i], 1) {
			r.Unlabelled++
		}
	}
	r.Groups = len(groups)
}

// fractions are the parts of the training documents of a learning curve.
var fractions = []float64{.125, .25, .5}

// share returns a number in [0, 1) for a group.
func share(group string, seed uint64) float64 {
	return float64(xxh3.HashStringSeed(group, seed+1)>>11) / (1 << 53)
}

// curve computes the learning curve.
func (t *trainer) curve(ctx context.Context) error {
	for _, f := range append(slices.Clone(fractions), 1) {
		scores := t.scores
		if f < 1 {
			var err error
			if scores, err = t.crossScore(ctx, f); err != nil {
				return err
			}
		}
		_, got := t.judge(scores)
		p := t.part("", got, func(int) bool { return true })
		p.Docs = int(math.Round(f * float64(len(t.docs)) * float64(t.cfg.Folds-1) / float64(t.cfg.Folds)))
		t.rep.Learning = append(t.rep.Learning, p)
	}
	return nil
}

// part returns the figures of the documents that in selects.
func (t *trainer) part(name string, got [][]int, in func(i int) bool) Part {
	p := Part{Name: name}
	var all Counts
	byClass := make([]Counts, len(t.classes.names))
	exact := 0
	for i, tr := range t.truths {
		if !in(i) {
			continue
		}
		p.Docs++
		all.add(tr, got[i], byClass)
		if isExact(tr, got[i]) {
			exact++
		}
	}
	used := 0
	for _, n := range byClass {
		if n.TP+n.FN > 0 {
			used++
			p.MacroF1 += n.F1()
		}
	}
	p.MicroF1, p.Exact = all.F1(), ratio(exact, p.Docs)
	p.MacroF1 /= float64(max(1, used))
	return p
}

func isExact(t truth, got []int) bool {
	for c, x := range t {
		if x >= 0 && slices.Contains(got, c) != (x > 0) {
			return false
		}
	}
	return true
}

// mostSites is the maximum number of sites in a report.
const mostSites = 20

// fill computes the figures from decisions about held-out documents.
func (r *Report) fill(t *trainer, p [][]float64, got [][]int, d *decisions) {
	r.All = t.part("all", got, func(int) bool { return true })
	r.Langs = t.parts(got, func(i int) string { return t.docs[i].Lang })
	r.Sites = t.parts(got, func(i int) string {
		if t.docs[i].URL == "" {
			return ""
		}
		return t.groups[i]
	})
	r.Sites = r.Sites[:min(len(r.Sites), mostSites)]
	r.classes(t, p, got, d)
	for i := range t.docs {
		if len(got[i]) == 0 {
			r.Other++
		}
		pr := Prediction{ID: t.docs[i].ID, Labels: t.docs[i].Labels, P: p[i]}
		for _, c := range got[i] {
			pr.Found = append(pr.Found, t.classes.names[c])
		}
		r.Predictions = append(r.Predictions, pr)
	}
	r.CalibrationError = t.calibrationError(p)
	r.Grade = t.grade(p)
}

// parts returns the figures by a property, the largest parts first. Documents without it are left
// out.
func (t *trainer) parts(got [][]int, of func(i int) string) (list []Part) {
	members := map[string]int{}
	for i := range t.docs {
		members[of(i)]++
	}
	delete(members, "")
	for _, name := range slices.Sorted(maps.Keys(members)) {
		list = append(list, t.part(name, got, func(i int) bool { return of(i) == name }))
	}
	slices.SortStableFunc(list, func(a, b Part) int { return cmp.Compare(b.Docs, a.Docs) })
	return list
}

// classes computes the figures of the classes and the confusions.
func (r *Report) classes(t *trainer, p [][]float64, got [][]int, d *decisions) {
	k := len(t.classes.names)
	var all Counts
	byClass := make([]Counts, k)
	r.Confusion = make([][]int, k)
	for c := range r.Confusion {
		r.Confusion[c] = make([]int, k)
	}
	for i, tr := range t.truths {
		all.add(tr, got[i], byClass)
		for a, x := range tr {
			if x <= 0 {
				continue
			}
			for _, b := range got[i] {
				if a == b || tr[b] == 0 {
					r.Confusion[a][b]++
				}
			}
		}
	}
	for c, name := range t.classes.names {
		r.Classes = append(r.Classes, Class{Name: name, Docs: byClass[c].TP + byClass[c].FN, Counts: byClass[c], Limit: d.Classes[c].Limit, Curve: t.points(p, c)})
	}
}

// points returns precision and recall of a class at limits of .05 to .95.
func (t *trainer) points(p [][]float64, class int) (list []Point) {
	for k := 1; k < 20; k++ {
		at := float64(k) / 20
		var n Counts
		for i, tr := range t.truths {
			switch over := p[i][class] >= at; {
			case tr[class] < 0:
			case tr[class] > 0 && over:
				n.TP++
			case tr[class] > 0:
				n.FN++
			case over:
				n.FP++
			}
		}
		list = append(list, Point{at, n.Precision(), n.Recall(), ratio(n.TP+n.FP, len(t.docs))})
	}
	return list
}

// calibrationError returns the mean difference between the probability of a class and its
// frequency, in ten bins weighted by their number.
func (t *trainer) calibrationError(p [][]float64) float64 {
	var n, sum, is [10]float64
	all := 0.0
	for i, tr := range t.truths {
		for c, x := range tr {
			if x < 0 {
				continue
			}
			b := min(9, int(p[i][c]*10))
			n[b]++
			sum[b] += p[i][c]
			is[b] += float64(x)
			all++
		}
	}
	e := 0.0
	for b := range n {
		e += math.Abs(sum[b] - is[b])
	}
	return e / max(1, all)
}
