package filter

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"chaffinch/text/label"
)

// modelSuffix ends the names of rules that are model files of package label.
const modelSuffix = ".chf"

// isModel reports whether the name of a rule is a model file.
func isModel(name string) bool { return strings.HasSuffix(name, modelSuffix) }

// AddModel adds the classes of a model file of package label as scores: the probability of each
// class. Their names begin with the name of the model. Documents of the classes that the training
// marked are dropped; other classes have no limits by default.
func (c *Config) AddModel(path string) error {
	if !isModel(path) {
		return fmt.Errorf("model file %q: wanted a name that ends in %s", path, modelSuffix)
	}
	c.Use = append(c.Use, path)
	return nil
}

// dropLimit is the default limit of the probability of a class of exclusive classes whose
// documents are dropped.
const dropLimit = .5

// readLabels returns the group of a model file.
func (s *Set) readLabels(path string) (*Group, error) {
	m, err := label.Load(path)
	if err != nil {
		return nil, err
	}
	name := strings.ReplaceAll(cmp.Or(m.Name(), strings.TrimSuffix(filepath.Base(path), modelSuffix)), ".", "_")
	for i := range Groups {
		if Groups[i].Name == name {
			return nil, fmt.Errorf("model %s: its name %q is the name of a rule: train it with another name", path, name)
		}
	}
	g := &Group{Name: name, Help: "classes of the model " + path, NeedsFiles: true}
	for _, c := range m.Classes() {
		score := Score{Name: c.Name, Help: "probability of " + c.Name}
		switch {
		case c.Drop && m.Config().Several:
			score.Limit = atMost(c.Limit)
		case c.Drop:
			score.Limit = atMost(max(dropLimit, c.Limit))
		}
		g.Scores = append(g.Scores, score)
	}
	grades := gradesOf(m)
	if grades != nil {
		g.Scores = append(g.Scores, Score{Name: meanGrade, Help: "mean grade, weighted by the probabilities"})
	}
	g.score = func(s *Scorer, d *doc, out []float64) {
		if !m.Knows(s.in.Lang) {
			return
		}
		p, ok := s.labelled(m, d)
		if !ok {
			return
		}
		copy(out, p)
		if grades != nil {
			mean := 0.0
			for c, v := range p {
				mean += float64(v * grades[c])
			}
			out[len(p)] = mean
		}
	}
	g.explain = func(s *Scorer, score string) string {
		for k, c := range m.Classes() {
			if c.Name == score {
				return s.whyLabel(m, k)
			}
		}
		return ""
	}
	s.labels = append(s.labels, m)
	s.sums = append(s.sums, m.Sum())
	return g, nil
}

// meanGrade is the name of the score of models whose classes are numbers, such as ratings from 0 to
// 5.
const meanGrade = "grade"

// gradesOf returns the numbers that are the names of exclusive classes, nil if they are no numbers.
func gradesOf(m *label.Model) (grades []float64) {
	for _, c := range m.Classes() {
		v, err := strconv.ParseFloat(c.Name, 64)
		if err != nil || m.Config().Several {
			return nil
		}
		grades = append(grades, v)
	}
	return grades
}

// labelled returns the probabilities of the classes of a model for the document.
func (s *Scorer) labelled(m *label.Model, d *doc) (p []float64, ok bool) {
	if s.labels == nil {
		s.labels = label.NewScorer()
	}
	return s.labels.Score(m, s.labelDoc(m, d))
}

// labelDoc returns the document as a model reads it.
func (s *Scorer) labelDoc(m *label.Model, d *doc) label.Doc {
	in := label.Doc{Text: d.text}
	if m.Config().Scales[label.Facts] > 0 {
		in.Facts = label.URLFacts(s.in.URL)
	}
	return in
}

// whyLabel names the features that contribute most to the score of a class.
func (s *Scorer) whyLabel(m *label.Model, class int) string {
	if s.labels == nil { // the scores were read, not computed
		return ""
	}
	var names []string
	for _, r := range s.labels.Why(m, s.labelDoc(m, &s.doc), class, maxReasons) {
		names = append(names, r.Name)
	}
	return strings.Join(names, "; ")
}

// knowsLang reports whether all models have learned from documents in a language.
func (s *Set) knowsLang(lang string) bool {
	return !slices.ContainsFunc(s.labels, func(m *label.Model) bool { return !m.Knows(lang) })
}
