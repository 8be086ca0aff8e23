package perplexity

import (
	"math"

	"chaffinch/lm"
)

// words is a model of package lm.
type words struct{ *lm.Model }

// OfModel returns a model of package lm as this package needs it.
func OfModel(m *lm.Model) Model { return words{m} }

// loadWords returns the embedded model of that name, or loads a file.
func loadWords(name string) (Model, error) {
	m, err := lm.Open(name)
	if err != nil {
		return nil, err
	}
	return words{m}, nil
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
