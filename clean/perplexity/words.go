package perplexity

import (
	"math"

	"chaffinch/model/data"
	"chaffinch/text/lm"
)

// words adapts a model of package lm to Model.
type words struct {
	*lm.Model
	embedded string // name of the embedded model, "" for a file
}

// webLimits holds the limits of embedded models for sentences scored in context ([Default]),
// by share of kept sentences. They were measured on two sets of gold text of web pages that
// are not in the training data. TestWebLimits recomputes them. docs/explanation/perplexity.md explains
// why the limits of the model card are unsuitable.
var webLimits = map[string]map[float64]float64{
	"en": {.95: 2080, .99: 5100},
}

// loadWords returns the embedded model of that name or reads a file.
func loadWords(name string) (Model, error) {
	m, err := lm.Open(name)
	if err != nil {
		return nil, err
	}
	w := words{Model: m}
	if _, ok := data.Words(name); ok {
		w.embedded = name
	}
	return w, nil
}

// Limit returns the limit in the model card or, for an embedded model in context, the limit
// in webLimits.
func (m words) Limit(keep float64, context bool) (float64, error) {
	if limit, ok := webLimits[m.embedded][keep]; ok && context {
		return limit, nil
	}
	return m.Model.Limit(keep)
}

func (m words) Bits(sentence string) (bits float64, n int) {
	s := m.Sentence(sentence)
	return -s.LogProb * log2of10, s.Tokens
}

const log2of10 = math.Ln10 / math.Ln2

// Frequencies uses the probabilities in an empty context. In a model with Kneser-Ney
// smoothing they count the distinct contexts of a word, not its occurrences.
func (m words) Frequencies(text string, f func(token []byte, p float64)) {
	t := m.Tokens(text)
	for {
		token := t.Next()
		if token == nil {
			return
		}
		var nothing lm.State
		p := math.Pow(10, float64(m.Next(&nothing, m.Vocab.ID(token))))
		f(token, max(p, math.SmallestNonzeroFloat32))
	}
}
