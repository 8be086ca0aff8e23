package documents

import (
	"cmp"
	"slices"
	"strings"

	"chaffinch/internal/sorts"
	"chaffinch/lab/annotate"
	"chaffinch/lab/eval/stats"
)

// Agreements is the agreement of annotators on documents that several have labelled.
type Agreements struct {
	People []PairAgreement `json:"people" doc:"All annotators together, then each pair."`
	// Labels holds the agreement on each label, for all annotators together.
	Labels []LabelAgreement `json:"labels"`
	// Differences are documents with different labels.
	Differences []Disagreement `json:"differences"`
	Open        int            `json:"open" doc:"Number of differences without adjudicated labels."`
}

// PairAgreement is the agreement of two annotators, or of all.
type PairAgreement struct {
	Names     []string `json:"names"`
	Documents int      `json:"documents"`
	Same      float64  `json:"same" doc:"Share of documents with the same labels, 0 to 1."`
	Kappa     *float64 `json:"kappa,omitempty" doc:"Cohen's kappa of two annotators, mean over labels in mode multi; missing if undefined."`
	Alpha     *float64 `json:"alpha,omitempty" doc:"Krippendorff's alpha for nominal labels, mean over labels in mode multi; missing if undefined."`
	Weighted  *float64 `json:"weighted,omitempty" doc:"Scale: Cohen's kappa with quadratic weights, mean over pairs of annotators."`
	Near      *float64 `json:"near,omitempty" doc:"Scale: share of documents whose labels differ by at most 1."`
}

// LabelAgreement is the agreement on whether documents have a label.
type LabelAgreement struct {
	Label     string   `json:"label"`
	Documents int      `json:"documents" doc:"Documents with the label, by at least one annotator."`
	Same      int      `json:"same" doc:"Documents with the label by all their annotators."`
	Alpha     *float64 `json:"alpha,omitempty"`
}

// Disagreement is a document with different labels.
type Disagreement struct {
	ID     string              `json:"id"`
	Title  string              `json:"title,omitempty"`
	Text   string              `json:"text" doc:"Beginning of the text."`
	Labels map[string][]string `json:"labels" doc:"By annotator."`
	Unsure []string            `json:"unsure,omitempty" doc:"Annotators who were unsure."`
	Judged []string            `json:"judged,omitempty" doc:"Adjudicated labels."`
	By     string              `json:"by,omitempty" doc:"Adjudicator; missing without a decision."`
}

const (
	maxDifferences = 500
	maxExcerpt     = 1200 // bytes
)

// compare compares the annotators. The caller holds s.mu.
func (s *Desk) compare() Agreements {
	names := s.names()
	out := Agreements{People: []PairAgreement{}, Labels: []LabelAgreement{}, Differences: []Disagreement{}}
	var both []map[string]*state // work on documents with several annotators, by name
	for _, d := range s.docs {
		done := s.done(d)
		if len(done) < 2 {
			continue
		}
		both = append(both, done)
		if x := s.difference(d, done); x != nil {
			out.Differences = append(out.Differences, *x)
			if x.By == "" {
				out.Open++
			}
		}
	}
	if len(names) > 2 {
		if p, ok := s.pair(names, both); ok {
			out.People = append(out.People, p)
		}
	}
	for i, a := range names {
		for _, b := range names[i+1:] {
			if p, ok := s.pair([]string{a, b}, both); ok {
				out.People = append(out.People, p)
			}
		}
	}
	for _, l := range s.scheme.names() {
		x := LabelAgreement{Label: l}
		for _, done := range both {
			n := 0
			for _, w := range done {
				if slices.Contains(w.Labels, l) {
					n++
				}
			}
			if n > 0 {
				x.Documents++
			}
			if n == len(done) {
				x.Same++
			}
		}
		if n := annotate.Nominally(onLabel(l, names, both)); n.AlphaOK {
			x.Alpha = &n.Alpha
		}
		if x.Documents > 0 {
			out.Labels = append(out.Labels, x)
		}
	}
	sorts.StableFunc(out.Differences, func(x, y Disagreement) int { return cmp.Compare(min(1, len(x.By)), min(1, len(y.By))) })
	out.Differences = out.Differences[:min(maxDifferences, len(out.Differences))]
	return out
}

// onLabel returns for each document whether each annotator gave it a label: yes, no, or "" if the
// annotator has not labelled it.
func onLabel(label string, names []string, docs []map[string]*state) (units [][]string) {
	return unitsOf(names, docs, func(w *state) string {
		if slices.Contains(w.Labels, label) {
			return "yes"
		}
		return "no"
	})
}

// unitsOf returns a value for the work of each annotator on each document, "" without work.
func unitsOf(names []string, docs []map[string]*state, value func(*state) string) (units [][]string) {
	for _, done := range docs {
		u := make([]string, len(names))
		for i, n := range names {
			if w := done[n]; w != nil {
				u[i] = value(w)
			}
		}
		units = append(units, u)
	}
	return units
}

// pair returns the agreement of some annotators; ok reports whether they share documents.
func (s *Desk) pair(names []string, docs []map[string]*state) (p PairAgreement, ok bool) {
	p.Names = names
	all := annotate.Nominally(unitsOf(names, docs, func(w *state) string { return strings.Join(append([]string{"labels"}, w.Labels...), " ") }))
	if all.Units == 0 {
		return p, false
	}
	p.Documents, p.Same = all.Units, float64(all.Same)/float64(all.Units)
	by := []annotate.Nominal{all}
	if s.scheme.Mode == Multi {
		by = nil
		for _, l := range s.scheme.names() {
			by = append(by, annotate.Nominally(onLabel(l, names, docs)))
		}
	}
	var kappas, alphas []float64
	for _, n := range by {
		if n.KappaOK {
			kappas = append(kappas, n.Kappa)
		}
		if n.AlphaOK {
			alphas = append(alphas, n.Alpha)
		}
	}
	p.Kappa, p.Alpha = mean(kappas), mean(alphas)
	if s.scheme.Mode == Scale {
		s.onScale(&p, docs)
	}
	return p, true
}

// onScale computes the agreement on a scale.
func (s *Desk) onScale(p *PairAgreement, docs []map[string]*state) {
	var kappas []float64
	near, n := 0, 0
	for i, a := range p.Names {
		for _, b := range p.Names[i+1:] {
			var pairs [][2]int
			for _, done := range docs {
				x, y := done[a], done[b]
				if x == nil || y == nil {
					continue
				}
				v := [2]int{s.scheme.index(x.Labels[0]), s.scheme.index(y.Labels[0])}
				pairs = append(pairs, v)
				if n++; max(v[0]-v[1], v[1]-v[0]) <= 1 {
					near++
				}
			}
			if k, ok := annotate.Weighted(pairs, len(s.scheme.Labels)); ok {
				kappas = append(kappas, k)
			}
		}
	}
	p.Weighted = mean(kappas)
	p.Near = mean([]float64{float64(near) / float64(n)})
}

// mean returns the mean, nil without values.
func mean(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	m := stats.Mean(values)
	return &m
}

// difference returns the different labels of a document, nil if they are the same. The caller
// holds s.mu.
func (s *Desk) difference(d *doc, done map[string]*state) *Disagreement {
	x := &Disagreement{ID: d.ID, Title: d.Title, Text: cut(d.Text, maxExcerpt), Labels: map[string][]string{}}
	differ, first := false, []string(nil)
	for _, name := range s.names() {
		w := done[name]
		if w == nil {
			continue
		}
		if first == nil {
			first = append([]string{}, w.Labels...)
		}
		differ = differ || !slices.Equal(first, w.Labels)
		x.Labels[name] = append([]string{}, w.Labels...)
		if w.Unsure {
			x.Unsure = append(x.Unsure, name)
		}
	}
	if !differ {
		return nil
	}
	if j := s.judged(d); j != nil {
		x.Judged, x.By = j.Labels, j.by
	}
	return x
}

// cut returns the beginning of a text.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " …"
}
