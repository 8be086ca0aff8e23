package perplexity

import (
	"math"

	"chaffinch/model/data"
	"chaffinch/text/lm"
)

// words is a model of package lm.
type words struct {
	*lm.Model
	embedded string // its name, if it is part of the program
}

// webLimits are the limits of embedded models for sentences judged in context
// (Default): those that keep a share of the sentences of two sets of gold text
// of web pages that the models were not trained on. TestWebLimits finds them
// anew; docs/perplexity.md tells why the card's do not do.
var webLimits = map[string]map[float64]float64{
	"en": {.95: 2080, .99: 5100},
}

// loadWords returns the embedded model of that name, or loads a file.
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

// Limit returns the limit that the card states, or in context that which was
// found for an embedded model.
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

// Frequencies takes the probabilities after nothing: in a model with
// Kneser-Ney smoothing those of the distinct contexts of a word, not of its
// occurrences.
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
