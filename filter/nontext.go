package filter

import (
	"strings"

	"chaffinch/filter/nontext"
)

// NonTextConfig configures the group nontext.
type NonTextConfig struct {
	// Models are model files. A document is scored by the first model for its language, or by
	// the first model for all languages, in this order. If there is neither, the embedded
	// model is used.
	Models []string `json:"models,omitempty"`
	// Loss is the accepted fraction of good text that is dropped: .01, .03, .05 or .1. Default:
	// .03. Models use the nearest fraction for which they have limits.
	Loss float64 `json:"loss,omitempty"`
}

// nonTextScore is the name of the score whose limit is set by the model.
const nonTextScore = "nontext.probability"

// ofModel represents the limit of the model that scored a document.
var ofModel = new(float64)

// readModels reads the models of the group nontext.
func (s *Set) readModels() (sums []uint64, err error) {
	for _, path := range s.cfg.NonText.Models {
		m, err := nontext.Load(path)
		if err != nil {
			return nil, err
		}
		s.models = append(s.models, m)
		sums = append(sums, m.Sum())
	}
	s.embedded, err = nontext.Embedded()
	return sums, err
}

// modelOf returns the model for a language.
func (s *Set) modelOf(lang string) *nontext.Model {
	if m := nontext.For(s.models, lang); m != nil {
		return m
	}
	return s.embedded
}

// ModelSums returns checksums of the models and lists that the configuration names, because the
// content of the files may change between two runs.
func (s *Set) ModelSums() []uint64 { return s.sums }

// nonText computes the score of the group nontext.
func nonText(s *Scorer, d *doc, out []float64) {
	if s.nonText == nil {
		s.nonText = nontext.NewScorer()
	}
	m, p, ok := s.set.modelOf(s.in.Lang), 0.0, false
	switch {
	case s.limits == nil || s.limits[0].Min != nil:
		p, ok = s.nonText.Score(m, d.text)
	case s.limits[0].Max != nil:
		p, ok = s.nonText.ScoreAbove(m, d.text, *s.set.withModel(s.limits[0], s.in.Lang).Max)
	}
	if ok {
		out[0] = p
	}
}

// maxReasons is the maximum number of features in an explanation.
const maxReasons = 6

// Explain returns the reasons for a decision about the last scored document, "" if the rule and the
// value need no explanation.
func (s *Scorer) Explain(d Decision) string {
	group, score, _ := strings.Cut(d.Rule, ".")
	for _, g := range s.set.groups {
		if g.Name == group && g.explain != nil {
			return g.explain(s, score)
		}
	}
	return ""
}

// nonTextFeatures names the features that contribute most to the score of the group nontext.
func nonTextFeatures(s *Scorer, _ string) string {
	if s.nonText == nil { // the scores were read, not computed
		return ""
	}
	return strings.Join(s.nonText.Why(s.set.modelOf(s.in.Lang), s.doc.text, maxReasons), "; ")
}
