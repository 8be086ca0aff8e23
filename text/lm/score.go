package lm

import "math"

// State is the context of the next word. The zero State has no context.
type State struct {
	n     int                   // number of words, the nearest first
	words [MaxOrder - 1]uint32  // ids
	bow   [MaxOrder - 1]float32 // kneser-ney: back-off of the context of the first i+1 words
	last  uint64                // mle: count of the context of all n words
}

// Start returns the state at the beginning of a sentence, after <s>.
func (m *Model) Start() (s State) {
	m.Next(&s, Begin)
	return s
}

// Next adds word w to the state and returns the log10 of its probability given the words in s.
func (m *Model) Next(s *State, w uint32) float32 {
	if w >= m.Vocab.n {
		w = Unknown
	}
	if m.meta.Estimator == MLE {
		return m.nextMLE(s, w)
	}
	return m.nextBackoff(s, w)
}

// nextBackoff walks down the trie from w to the left as long as the model contains the n-gram.
// Each missing step costs the back-off weight of the context.
func (m *Model) nextBackoff(s *State, w uint32) float32 {
	order := len(m.levels)
	at := uint64(w)
	l := &m.levels[0]
	p := l.prob(at)
	if order == 1 {
		return p
	}
	var bow [MaxOrder - 1]float32
	bow[0] = l.backoff(at)
	k := 1 // words matched
	for ; k <= s.n; k++ {
		below := &m.levels[k]
		from, to := l.children(at, below.n)
		var ok bool
		if at, ok = below.find(scramble(s.words[k-1], below.keyLen), from, to); !ok {
			break
		}
		l = below
		p = l.prob(at)
		if k < order-1 {
			bow[k] = l.backoff(at)
		}
	}
	for i := k - 1; i < s.n; i++ {
		p += s.bow[i]
	}
	k = min(k, order-1)
	for i := k - 1; i > 0; i-- {
		s.words[i] = s.words[i-1]
	}
	s.words[0] = w
	copy(s.bow[:k], bow[:k])
	s.n = k
	return p
}

// nextMLE returns the log10 of the count of context and word divided by the count of the
// context.
func (m *Model) nextMLE(s *State, w uint32) float32 {
	whole, shorter := m.count(w, s.words[:s.n])
	context := s.last
	if s.n == 0 {
		context = m.meta.Total
	}
	switch order := len(m.levels); {
	case order == 1:
	case s.n+1 < order: // the context grows
		copy(s.words[1:s.n+1], s.words[:s.n])
		s.words[0], s.last = w, whole
		s.n++
	default: // the farthest word is dropped
		copy(s.words[1:s.n], s.words[:s.n-1])
		s.words[0], s.last = w, shorter
	}
	return logRatio(whole, context)
}

// count returns the count of the words left (the nearest first) followed by w, and the count
// without the farthest word.
func (m *Model) count(w uint32, left []uint32) (whole, shorter uint64) {
	at := uint64(w)
	l := &m.levels[0]
	whole = l.raw(at)
	for k, v := range left {
		below := &m.levels[k+1]
		from, to := l.children(at, below.n)
		shorter, whole = whole, 0
		var ok bool
		if at, ok = below.find(scramble(v, below.keyLen), from, to); !ok {
			if k < len(left)-1 {
				shorter = 0
			}
			return 0, shorter
		}
		l = below
		whole = l.raw(at)
	}
	return whole, shorter
}

// logRatio returns log10(a/b), at least log10(Floor).
func logRatio(a, b uint64) float32 {
	if b == 0 || float64(a) < Floor*float64(b) {
		return float32(math.Log10(Floor))
	}
	return float32(math.Log10(float64(a) / float64(b)))
}

// Score measures how well a text fits a model.
type Score struct {
	// LogProb is the log10 of the product of the conditional probabilities of
	// all Tokens.
	LogProb float64
	// Tokens is the n of equation 1: the number of words, including punctuation, plus one </s>
	// per sentence. <s> is given and not counted.
	Tokens int
	// OOV is the number of words that are not in the model.
	OOV int
}

// Perplexity returns equation 1 of the paper: 2^(-1/n * sum of log2 P). The base does not
// matter. An empty score has the perplexity 1.
func (s Score) Perplexity() float64 {
	if s.Tokens == 0 {
		return 1
	}
	return math.Pow(10, -s.LogProb/float64(s.Tokens))
}

// Add adds the score of another text.
func (s *Score) Add(o Score) {
	s.LogProb += o.LogProb
	s.Tokens += o.Tokens
	s.OOV += o.OOV
}

// Sentence scores text as one sentence. It allocates nothing.
func (m *Model) Sentence(text string) Score {
	c := m.Scorer()
	t := NewTokens(m.meta.Tokeniser, text)
	for {
		n := t.next()
		if n == 0 {
			break
		}
		c.Word(m.Vocab.id(&t.buf, n))
	}
	c.End()
	return c.Score
}

// Scorer scores sentences word by word. See [Model.Scorer].
type Scorer struct {
	// Score is the sum so far.
	Score Score
	m     *Model
	state State
	start State
}

// Scorer returns a Scorer at the beginning of a sentence.
func (m *Model) Scorer() Scorer {
	s := m.Start()
	return Scorer{m: m, state: s, start: s}
}

// Word scores the next word, given by its id, and returns the log10 of its probability.
func (c *Scorer) Word(id uint32) float32 {
	p := c.m.Next(&c.state, id)
	c.Score.LogProb += float64(p)
	c.Score.Tokens++
	if id == Unknown {
		c.Score.OOV++
	}
	return p
}

// Token scores the next token, folded by the model's tokeniser.
func (c *Scorer) Token(token []byte) float32 { return c.Word(c.m.Vocab.ID(token)) }

// End scores </s>. The next word begins a new sentence.
func (c *Scorer) End() float32 {
	p := c.m.Next(&c.state, End)
	c.Score.LogProb += float64(p)
	c.Score.Tokens++
	c.state = c.start
	return p
}

// Tokens returns an iterator over the tokens of text by the model's tokeniser.
func (m *Model) Tokens(text string) Tokens { return NewTokens(m.meta.Tokeniser, text) }
