package filter

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"chaffinch/text/lm"
)

// CCNetConfig configures the group ccnet.
type CCNetConfig struct {
	// Models holds the models by language. Documents in other languages have no score.
	Models map[string]CCNetModel `json:"models,omitempty"`
}

// CCNetModel configures the measurement of documents in one language.
type CCNetModel struct {
	// Model is the file of a word n-gram model of good text, or the name of an embedded model.
	Model string `json:"model"`
	// Head and Middle are the maximum perplexities of documents in the head and in the middle.
	// Documents above Middle are in the tail. 0 means unknown.
	Head   float64 `json:"head,omitempty"`
	Middle float64 `json:"middle,omitempty"`
}

// PerplexityScore is the name of the perplexity score.
const PerplexityScore = "ccnet.perplexity"

// Bucket returns 0 for a perplexity in the head, 1 for the middle, 2 for the tail. It returns
// NaN if the limits of m are unknown.
func (m *CCNetModel) Bucket(perplexity float64) float64 {
	switch {
	case m.Middle == 0:
		return math.NaN()
	case perplexity <= m.Head:
		return 0
	case perplexity <= m.Middle:
		return 1
	}
	return 2
}

// perplexityModel is an open model.
type perplexityModel struct {
	CCNetModel
	words *lm.Model
}

// readPerplexity opens the models of the group ccnet.
func (s *Set) readPerplexity() (sums []uint64, err error) {
	cfg := s.cfg.CCNet
	if len(cfg.Models) == 0 {
		return nil, errors.New(`ccnet: no model: a file of rules names one for each language, as in {"use": ["ccnet"], "ccnet": {"models": {"en": {"model": "en.chf"}}}}`)
	}
	s.perplexity = map[string]*perplexityModel{}
	for _, lang := range slices.Sorted(maps.Keys(cfg.Models)) {
		m := cfg.Models[lang]
		if m.Head < 0 || m.Head > m.Middle {
			return nil, fmt.Errorf("ccnet.models.%s: found head %v and middle %v, wanted two perplexities, head below middle", lang, m.Head, m.Middle)
		}
		words, err := lm.Open(m.Model)
		if err != nil {
			return nil, fmt.Errorf("ccnet.models.%s: %w", lang, err)
		}
		s.perplexity[lang] = &perplexityModel{m, words}
		if f := words.File; f != nil {
			sums = append(sums, uint64(f.Checksum()))
		}
	}
	return sums, nil
}

// Model returns the model for a language and the language under which it is listed: lang itself
// or the nearest language that lang is a variety of. It reports whether there is a model.
func (c CCNetConfig) Model(lang string) (of string, m CCNetModel, ok bool) {
	of = primary(lang, c.Models)
	m, ok = c.Models[of]
	return of, m, ok
}

// ccnet computes the scores of the group ccnet, sentence by sentence.
func ccnet(s *Scorer, d *doc, out []float64) {
	m := s.set.perplexity[primary(s.in.Lang, s.set.perplexity)]
	if m == nil {
		return
	}
	var score lm.Score
	for rest := d.text; rest != ""; {
		line, n := cutAtLF(rest)
		rest = rest[n:]
		d.spans = d.tok.Sentences(line, d.spans[:0])
		for _, sentence := range d.spans {
			score.Add(m.words.Sentence(line[sentence.Start:sentence.End]))
		}
	}
	if score.Tokens > 0 {
		out[0] = score.Perplexity()
		out[1] = m.Bucket(out[0])
	}
}
