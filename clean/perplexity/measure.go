package perplexity

import (
	"bytes"
	"math"
	"slices"
)

// Measure names the score of a unit. All measures are computed in bits per token and are
// higher for less likely text. [Perplexity] is reported as 2 to the power of these bits.
type Measure string

// The measures.
const (
	// Perplexity is 2^H, where H = -1/n Σ log2 P(w_i | w_1 .. w_(i-1)) is the
	// cross-entropy of the unit (equation 1).
	Perplexity Measure = "perplexity"
	// Difference is H - H', where H' is the cross-entropy under a second model, of unwanted
	// or of general text (Moore and Lewis, "Intelligent selection of language model training
	// data", ACL 2010). Limit 0 keeps the text that is likelier under the first model.
	Difference Measure = "difference"
	// Divergence is the Kullback-Leibler divergence Σ q(w) log2(q(w) / p(w)) of the unit's
	// word frequencies q from the model's unigram probabilities p. It ignores word order. It
	// decreases with the length of the unit, so it suits blocks and pages.
	Divergence Measure = "divergence"
)

// bits returns the score of a sentence in bits, not divided by its length, and its number of
// tokens.
func (l *Labeller) bits(sentence string) (bits, tokens float64) {
	if l.cfg.Measure == Divergence {
		return divergence(l.model, sentence)
	}
	b, n := l.model.Bits(sentence)
	bits, tokens = b, float64(max(n, 1))
	if l.back != nil {
		b, n = l.back.Bits(sentence) // per token of the second model's tokenizer
		bits -= float64(b / float64(max(n, 1)) * tokens)
	}
	return bits, tokens
}

// divergence returns n·D and n, where D is the divergence of the n tokens of text from the
// model's unigrams.
func divergence(m Model, text string) (bits, tokens float64) {
	type entry struct {
		token []byte
		p     float64
	}
	var all []entry
	var arena []byte
	m.Frequencies(text, func(token []byte, p float64) {
		n := len(arena)
		arena = append(arena, token...)
		all = append(all, entry{arena[n:len(arena):len(arena)], p})
	})
	if len(all) == 0 {
		return 0, 1
	}
	slices.SortFunc(all, func(a, b entry) int { return bytes.Compare(a.token, b.token) })
	n := float64(len(all))
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && bytes.Equal(all[j].token, all[i].token) {
			j++
		}
		c := float64(j - i)
		bits += float64(c * math.Log2(c/n/all[i].p))
		i = j
	}
	return bits, n
}
