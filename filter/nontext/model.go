package nontext

import (
	"encoding/json"
	"math"
)

// Steps is the number of steps into which a statistic is cut.
const Steps = 12

// Model tells text from what only looks like it. It is read-only.
type Model struct {
	cfg     Config
	bias    float32
	unit    float32 // of the weights
	weights []int8  // of the n-grams
	cuts    [statCount][Steps - 1]float32
	stats   [statCount][Steps]float32
	// slope and offset make log odds of scores, limit is the probability up to which
	// a document stays.
	slope, offset, limit float64

	card json.RawMessage
	sum  uint64
}

// Card returns the model card.
func (m *Model) Card() json.RawMessage { return m.card }

// Sum is a hash of the content of the model's file.
func (m *Model) Sum() uint64 { return m.sum }

// Config returns what the model looks at and how it was trained.
func (m *Model) Config() Config { return m.cfg }

// Limit is the probability of non-text up to which a document stays.
func (m *Model) Limit() float64 { return m.limit }

// step returns the step of a statistic into which a value falls.
func (m *Model) step(stat int, v float32) int {
	k := 0
	for _, c := range m.cuts[stat] {
		if v >= c {
			k++
		}
	}
	return k
}

// probability makes one of the score of a document.
func (m *Model) probability(score float64) float64 {
	return 1 / (1 + math.Exp(-(float64(m.slope*score) + m.offset)))
}

// Scorer finds the scores of one document after the other. It is not safe for
// concurrent use.
type Scorer struct {
	words []word
	grams []uint32
	stats statistics
}

// NewScorer returns a scorer for any number of models.
func NewScorer() *Scorer { return &Scorer{words: make([]word, 0, WindowWords)} }

// Score returns the probability of non-text; false if there is no telling: of too few
// words, and without words of scripts that set no spaces.
func (s *Scorer) Score(m *Model, text string) (p float64, ok bool) {
	score, ok := s.score(m, text)
	return m.probability(score), ok
}

// LogOdds returns the logarithm of the odds for non-text; false as [Scorer.Score] does.
func (s *Scorer) LogOdds(m *Model, text string) (z float64, ok bool) {
	score, ok := s.score(m, text)
	return float64(m.slope*score) + m.offset, ok
}

// score returns the mean score of the windows, by their words.
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
	return score / float64(total), m.cfg.tells(total, alone)
}

// tells says whether so many words are enough to tell, of which some stand alone
// since their script sets no spaces: they have no shapes.
func (c *Config) tells(words, alone int) bool {
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

// window returns the score of the window whose words were scanned.
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
