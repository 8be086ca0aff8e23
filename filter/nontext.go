package filter

import (
	"maps"
	"slices"
	"strings"

	"chaffinch/filter/nontext"
)

// NonTextConfig are the settings of the group nontext.
type NonTextConfig struct {
	// Models are files of models. A document is scored by the first that is for its
	// language, else by the first that is for all languages, else by the embedded ones
	// in the same way.
	Models []string `json:"models,omitempty"`
}

// nonTextScore is the name of the score whose limit is that of the model.
const nonTextScore = "nontext.probability"

// ofModel stands for the limit of the model that scored a document.
var ofModel = new(float64)

// readModels reads the models of the group nontext, if it is used.
func (s *Set) readModels(cfg NonTextConfig) error {
	if !slices.Contains(s.names, nonTextScore) {
		return nil
	}
	for _, path := range cfg.Models {
		m, err := nontext.Load(path)
		if err != nil {
			return err
		}
		s.models = append(s.models, m)
	}
	var err error
	s.embedded, err = nontext.Embedded()
	return err
}

// modelOf returns the model for a language.
func (s *Set) modelOf(lang string) *nontext.Model {
	if m := nontext.For(s.models, lang); m != nil {
		return m
	}
	return nontext.For(s.embedded, lang)
}

// ModelSums tells models and lists of words apart by their content: that of the files which a
// configuration names may change.
func (s *Set) ModelSums() (sums []uint64) {
	for _, m := range s.models {
		sums = append(sums, m.Sum())
	}
	for _, lang := range slices.Sorted(maps.Keys(s.perplexity)) {
		if f := s.perplexity[lang].words.File; f != nil {
			sums = append(sums, uint64(f.Checksum()))
		}
	}
	if s.listed != nil {
		sums = append(sums, s.listed.sum)
	}
	if s.addresses != nil {
		sums = append(sums, s.addresses.sum)
	}
	return sums
}

// nonText finds the score of the group nontext.
func nonText(s *Scorer, d *doc, out []float64) {
	if s.nonText == nil {
		s.nonText = nontext.NewScorer()
	}
	if p, ok := s.nonText.Score(s.set.modelOf(s.in.Lang), d.text); ok {
		out[0] = p
	}
}

// maxReasons is how many features a reason names.
const maxReasons = 6

// Why says what spoke for a decision over the document that was scored last, "" if
// the rule and the value say all.
func (s *Scorer) Why(d Decision) string {
	if score, ok := strings.CutPrefix(d.Rule, "optout."); ok {
		return s.saidNo(score)
	}
	if strings.HasPrefix(d.Rule, "wordlist.") && s.set.listed != nil {
		return s.listedWords()
	}
	switch {
	case d.Rule == listedAddress:
		return s.listing
	case strings.HasPrefix(d.Rule, "translated."):
		return s.marked(d.Rule)
	case strings.HasPrefix(d.Rule, "languages."):
		return s.foundLanguages()
	}
	if d.Rule != nonTextScore || s.nonText == nil {
		return ""
	}
	return strings.Join(s.nonText.Why(s.set.modelOf(s.in.Lang), s.doc.text, maxReasons), "; ")
}
