package nontext

import (
	"encoding/json"
	"math"
)

// Steps is the number of steps into which a statistic is divided.
const Steps = 12

// Model distinguishes text from non-text. It is read-only.
type Model struct {
	cfg     Config
	bias    float32
	unit    float32 // of the n-gram weights
	weights []int8  // of the n-grams
	cuts    [statCount][Steps - 1]float32
	stats   [statCount][Steps]float32
	// slope and offset convert scores to log odds. limit is the maximum probability of a kept
	// document.
	slope, offset, limit float64

	card json.RawMessage
	sum  uint64
}

// Card returns the model card.
func (m *Model) Card() json.RawMessage { return m.card }

// Sum returns a hash of the content of the model file.
func (m *Model) Sum() uint64 { return m.sum }

// Config returns the features of the model and its training configuration.
func (m *Model) Config() Config { return m.cfg }

// Limit returns the maximum probability of non-text for a kept document.
func (m *Model) Limit() float64 { return m.limit }

// step returns the step of a statistic that contains a value.
func (m *Model) step(stat int, v float32) int {
	k := 0
	for _, c := range m.cuts[stat] {
		if v >= c {
			k++
		}
	}
	return k
}

// probability converts the score of a document to a probability.
func (m *Model) probability(score float64) float64 {
	return 1 / (1 + math.Exp(-(float64(m.slope*score) + m.offset)))
}

// Scorer computes the scores of documents, one after the other. It is not safe for concurrent
// use.
type Scorer struct {
	words []word
	grams []uint32
	stats statistics
}

// NewScorer returns a scorer for any number of models.
func NewScorer() *Scorer { return &Scorer{words: make([]word, 0, WindowWords)} }

// Score returns the probability of non-text and reports whether it is reliable. It is not
// reliable for too few words, or for a model without words in scripts without spaces.
func (s *Scorer) Score(m *Model, text string) (p float64, ok bool) {
	score, ok := s.score(m, text)
	return m.probability(score), ok
}

// LogOdds returns the log odds of non-text and reports, like [Scorer.Score], whether they are
// reliable.
func (s *Scorer) LogOdds(m *Model, text string) (z float64, ok bool) {
	score, ok := s.score(m, text)
	return float64(m.slope*score) + m.offset, ok
}

// score returns the mean score of the windows, weighted by their words, and reports whether it
// is reliable.
func (s *Scorer) score(m *Model, text string) (score float64, ok bool) {
	total, alone := 0, 0
	for at := 0; at < len(text); {
		if s.words, at = scan(text, at, s.words); len(s.words) == 0 {
			break
		}
		score += float64(float64(s.window(m, text)) * float64(len(s.words)))
		total += len(s.words)
		alone += aloneIn(s.words)
	}
	if total == 0 {
		return 0, false
	}
	return score / float64(total), m.cfg.hasEnoughWords(total, alone)
}

// hasEnoughWords reports whether a score of so many words is reliable. alone is the number of words in
// scripts without spaces, which have no shapes.
func (c *Config) hasEnoughWords(words, alone int) bool {
	return words >= MinWords && (c.Words || 2*alone <= words)
}

func aloneIn(words []word) (n int) {
	for i := range words {
		if words[i].form == formAlone {
			n++
		}
	}
	return n
}

// window returns the score of the scanned window.
func (s *Scorer) window(m *Model, text string) float32 {
	sum, n := m.add(text, s.words)
	score := m.bias + m.unit*float32(sum)/sqrt(float32(max(1, n)))
	s.stats.find(s.words)
	for i, v := range s.stats.out {
		score += m.stats[i][m.step(i, v)]
	}
	return score
}

func sqrt(v float32) float32 { return float32(math.Sqrt(float64(v))) }
