// Package words trains word n-gram models on text with [Train] or a [Builder]. It counts in bounded
// memory (internal/extsort). It estimates interpolated modified Kneser-Ney (Chen and Goodman, "An
// empirical study of smoothing techniques for language modeling", 1998, section 3; in the order of
// Heafield, Pouzyrevsky, Clark and Koehn, "Scalable modified Kneser-Ney language model estimation",
// ACL 2013) or the relative frequencies of equation 2 of the PyPlexity paper. It prunes and writes
// the model.
//
// The result depends only on the sentences, their order and the Config, not on the memory limit.
package words

import (
	"fmt"

	"chaffinch/text/lm"
)

// Config configures the training of a model.
type Config struct {
	// Order is the maximum length of n-grams, 1 to lm.MaxOrder.
	Order     int          `json:"order"`
	Estimator lm.Estimator `json:"estimator"`
	Tokeniser lm.Tokeniser `json:"tokeniser"`
	// Prune holds a threshold for each order, the first one for words. N-grams with at most that
	// many occurrences are pruned, and their probability is added to the back-off. The last
	// threshold applies to all further orders; thresholds must not decrease. (Option prune of
	// KenLM, which requires 0 for words.)
	Prune []uint64 `json:"prune,omitempty"`
	// Words is the maximum size of the vocabulary: the most frequent words, of equally frequent
	// ones the first seen. Default: all. (Option limit_vocab_file of KenLM.)
	Words int `json:"words,omitempty"`
	// Grams is the maximum number of n-grams of the longest order: those whose removal would cost
	// most (see docs/explanation/lm.md). Default: all.
	Grams int `json:"grams,omitempty"`
	// MaxBytes is the maximum size of the model file, from which Grams is derived. Default: no
	// limit.
	MaxBytes int64 `json:"max_bytes,omitempty"`
	// Bits is the number of bits of a stored probability and back-off weight: 1 to 16 use
	// codebooks, 32 is exact.
	Bits uint `json:"bits"`
	// Fallback holds the discounts D1, D2, D3+ for an order whose counts of counts allow no
	// estimate, as in small or repetitive texts. If all are 0, this is an error. (Option
	// discount_fallback of KenLM.)
	Fallback [3]float64 `json:"fallback"`
	// HeldOut holds out every n-th sentence to measure the model; 0 holds out none.
	HeldOut int `json:"held_out,omitempty"`
	// Memory is the memory limit for sorting in bytes, in addition to the vocabulary.
	Memory int64 `json:"-"`
	// TempDir is the folder for temporary files. Default: the system's folder.
	TempDir string `json:"-"`
}

// Default is the configuration of new models.
var Default = Config{
	Order:     2,
	Estimator: lm.KneserNey,
	Tokeniser: lm.Words,
	Bits:      8,
	Fallback:  [3]float64{0.5, 1, 1.5},
	HeldOut:   100,
	Memory:    1 << 30,
}

// Check returns an error if the settings are invalid.
func (c *Config) Check() error {
	switch {
	case c.Order < 1 || c.Order > lm.MaxOrder:
		return fmt.Errorf("build: order %d, wanted 1 to %d", c.Order, lm.MaxOrder)
	case c.Estimator != lm.KneserNey && c.Estimator != lm.MLE:
		return fmt.Errorf("build: estimator %q, wanted %s or %s", c.Estimator, lm.KneserNey, lm.MLE)
	case c.Tokeniser != lm.Words && c.Tokeniser != lm.Blanks:
		return fmt.Errorf("build: tokeniser %q, wanted %s or %s", c.Tokeniser, lm.Words, lm.Blanks)
	case len(c.Prune) > c.Order:
		return fmt.Errorf("build: %d thresholds for order %d", len(c.Prune), c.Order)
	case c.Words < 0 || c.Grams < 0 || c.HeldOut < 0 || c.HeldOut == 1:
		return fmt.Errorf("build: words %d, grams %d, held-out %d: none may be negative, and held-out 1 would leave nothing", c.Words, c.Grams, c.HeldOut)
	case (c.Grams > 0 || c.MaxBytes != 0) && c.Order == 1:
		return fmt.Errorf("build: grams and size bound orders from 2 on; bound the words instead")
	case (c.Grams > 0 || c.MaxBytes != 0) && c.Estimator == lm.MLE:
		return fmt.Errorf("build: grams and size need the estimator %s; use prune with %s", lm.KneserNey, lm.MLE)
	}
	for i, p := range c.Prune {
		if i > 0 && p < c.Prune[i-1] {
			return fmt.Errorf("build: thresholds %v: they must not decrease", c.Prune)
		}
	}
	return nil
}

// prune returns the threshold of order k.
func (c *Config) prune(k int) uint64 {
	if len(c.Prune) == 0 {
		return 0
	}
	return c.Prune[min(k, len(c.Prune))-1]
}
