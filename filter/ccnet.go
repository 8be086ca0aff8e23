package filter

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"chaffinch/text/lm"
)

// CCNetConfig are the settings of the group ccnet.
type CCNetConfig struct {
	// Models are by language. Documents of others have no score.
	Models map[string]CCNetModel `json:"models,omitempty"`
}

// CCNetModel is what the documents of a language are measured by.
type CCNetModel struct {
	// Model is a file of a word n-gram model of good text, or the name of an embedded one.
	Model string `json:"model"`
	// Head and Middle are the perplexities up to which a document belongs to the head
	// and to the middle; what lies above is the tail. 0 is not known.
	Head   float64 `json:"head,omitempty"`
	Middle float64 `json:"middle,omitempty"`
}

// PerplexityScore is the name of the score of perplexity.
const PerplexityScore = "ccnet.perplexity"

// Bucket returns 0 for a perplexity of the head, 1 for the middle, 2 for the tail.
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

// perplexityModel is a model that was opened.
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
			return nil, fmt.Errorf("ccnet.models.%s: found head %v and middle %v, wanted two perplexities, that of the middle the higher", lang, m.Head, m.Middle)
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

// Model returns the model for a language, and the language that it is listed under: the same one,
// or the nearest that the language is a variety of.
func (c CCNetConfig) Model(lang string) (of string, m CCNetModel, ok bool) {
	of = primary(lang, c.Models)
	m, ok = c.Models[of]
	return of, m, ok
}

// ccnet finds the scores of the group ccnet, sentence by sentence.
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
