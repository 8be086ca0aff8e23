package nontext

import "fmt"

// Features extracts the features that models use from a text, window by window. Package
// lab/train/nontext learns from them. Unstable: they may change in any release.
type Features Scorer

// NewFeatures returns a Features. It is not safe for concurrent use.
func NewFeatures() *Features { return (*Features)(NewScorer()) }

// Scan reads the window that begins at byte at of a text, and returns the start of the next
// window.
func (f *Features) Scan(text string, at int) (next int) {
	f.words, next = scan(text, at, f.words)
	return next
}

// Words returns the number of words of the window.
func (f *Features) Words() int { return len(f.words) }

// Suffices reports whether a text of only this window has enough words for a reliable score.
func (f *Features) Suffices(cfg *Config) bool {
	return cfg.hasEnoughWords(len(f.words), aloneIn(f.words))
}

// Statistics appends the statistics of the window.
func (f *Features) Statistics(dst []float32) []float32 {
	f.stats.find(f.words)
	return append(dst, f.stats.out[:]...)
}

// NGrams returns the n-grams of the window as indices of a table of 1<<Bits weights. They are
// valid until the next call.
func (f *Features) NGrams(text string, cfg *Config) []uint32 {
	f.grams = ngrams(f.grams[:0], text, f.words, cfg)
	return f.grams
}

// Weights holds the parameters of a model, as package lab/train/nontext learns them. Unstable:
// they may change in any release.
type Weights struct {
	// NGrams are the 1<<Bits weights of n-grams in units of Unit.
	NGrams []int8
	Unit   float32
	// Cuts are, for each statistic, the rising values that separate its [Steps] steps. Stats are
	// the weights of the steps.
	Cuts, Stats [][]float32
	Bias        float32
	// Slope and Offset convert the score of a document to log odds. Limit is the maximum
	// probability of a kept document.
	Slope, Offset, Limit float64
}

// NewModel returns a model with the given weights.
func NewModel(cfg Config, w Weights) (*Model, error) {
	if cfg.Bits < 1 || cfg.Bits > MaxBits || len(w.NGrams) != 1<<cfg.Bits || len(w.Cuts) != statCount || len(w.Stats) != statCount {
		return nil, fmt.Errorf("%d weights of n-grams, cuts of %d statistics, weights of %d: wanted 1<<%d, %d and %d", len(w.NGrams), len(w.Cuts), len(w.Stats), cfg.Bits, statCount, statCount)
	}
	m := &Model{cfg: cfg, bias: w.Bias, unit: w.Unit, weights: w.NGrams, slope: w.Slope, offset: w.Offset, limit: w.Limit}
	for i := range m.stats {
		if len(w.Cuts[i]) != Steps-1 || len(w.Stats[i]) != Steps {
			return nil, fmt.Errorf("%s: %d cuts and %d weights, wanted %d and %d", statNames[i], len(w.Cuts[i]), len(w.Stats[i]), Steps-1, Steps)
		}
		copy(m.cuts[i][:], w.Cuts[i])
		copy(m.stats[i][:], w.Stats[i])
	}
	return m, nil
}
