// Package words makes word n-gram models from text: it counts in bounded
// memory (internal/extsort), estimates interpolated modified Kneser-Ney
// (Chen and Goodman, "An empirical study of smoothing techniques for language
// modeling", 1998, section 3; in the order of Heafield, Pouzyrevsky, Clark and
// Koehn, "Scalable modified Kneser-Ney language model estimation", ACL 2013) or
// the relative frequencies of the PyPlexity paper's equation 2, prunes, and
// writes the model.
//
// The result depends on the sentences, their order and the Config, never on
// the memory allowed.
package words

import (
	"fmt"

	"chaffinch/text/lm"
)

// Config is how a model is made.
type Config struct {
	// Order is the length of the longest n-grams, 1 to lm.MaxOrder.
	Order     int          `json:"order"`
	Estimator lm.Estimator `json:"estimator"`
	Tokeniser lm.Tokeniser `json:"tokeniser"`
	// Prune holds a threshold for each order: n-grams that occur at most so
	// often are left out, and their probability goes to the back-off. The last
	// one counts for all further orders; they must not decrease. The first is
	// that of the words. (KenLM's option prune, which wants 0 there.)
	Prune []uint64 `json:"prune,omitempty"`
	// Words bounds the vocabulary: the most frequent words stay, among equally
	// frequent ones those seen first. 0 means all. (KenLM's option limit_vocab_file.)
	Words int `json:"words,omitempty"`
	// Grams bounds the number of n-grams of the longest order: those stay
	// whose loss would cost most (see docs/explanation/lm.md). 0 means all.
	Grams int `json:"grams,omitempty"`
	// MaxBytes chooses Grams so that the model file is not larger. 0 means any
	// size.
	MaxBytes int64 `json:"max_bytes,omitempty"`
	// Bits is the length of a stored probability and back-off weight: 1 to 16
	// are codebooks, 32 is exact.
	Bits uint `json:"bits"`
	// Fallback are the discounts D1, D2, D3+ for an order whose counts of
	// counts allow no estimate, as in small or repetitive texts. (KenLM's
	// option discount_fallback.) All 0: an error instead.
	Fallback [3]float64 `json:"fallback"`
	// HeldOut keeps every so manieth sentence out of training, to measure the
	// model on it; 0 keeps none out.
	HeldOut int `json:"held_out,omitempty"`
	// Memory bounds the bytes for sorting; the vocabulary comes on top.
	Memory int64 `json:"-"`
	// TempDir is where sorting goes when it does not fit, "" means the
	// system's folder.
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

// Check tells what is wrong with the settings.
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
			return fmt.Errorf("build: thresholds %v: they must not decrease, else n-grams would lose those that they stand on", c.Prune)
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
