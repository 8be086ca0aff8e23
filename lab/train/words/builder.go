package words

import (
	"errors"
	"fmt"
	"math"

	"chaffinch/internal/extsort"
	"chaffinch/text/lm"
)

// ticksPerWeight is the resolution of weights: sums of integers do not depend on the order.
const ticksPerWeight = 1000

// Builder collects sentences and builds a model.
type Builder struct {
	cfg    Config
	vocab  *vocab
	counts *counter
	ids    []uint32
	parts  []*extsort.Sorted // to close
	stats  Stats
	seen   uint64 // number of sentences, including held-out ones
	held   []Held
	// fraction is set if some weight is not an integer, weighted if some weight is not 1.
	fraction, weighted bool
}

// Held is a held-out sentence.
type Held struct {
	Text   string
	Source int // the argument of Add
}

// maxHeld is the maximum number of held-out sentences.
const maxHeld = 50_000

// Stats holds statistics of the training.
type Stats struct {
	Sentences, Tokens uint64 // for training; tokens without <s> and </s>
	Types             uint64 // distinct tokens
	Bytes             uint64 // of the sentences
	Spilled           int    // sorted runs on disk
	// Ngrams and Kept are the numbers of n-grams of each order before and after pruning.
	Ngrams, Kept []uint64
	// Discounts holds D1, D2 and D3+ of each order.
	Discounts [][3]float64
	// Fallback reports for each order whether the discounts could not be estimated.
	Fallback []bool
}

// New returns a Builder.
func New(cfg Config) (*Builder, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	v := newVocab()
	return &Builder{cfg: cfg, vocab: v, counts: newCounter(cfg.Order, v, cfg.Memory*3/8, cfg.TempDir)}, nil
}

// Add adds a sentence with a weight (0.001 to 1,000,000, usually 1). source is the number of its
// input, for the figures of held-out sentences.
func (b *Builder) Add(sentence string, weight float64, source int) error {
	ticks := uint64(math.Round(weight * ticksPerWeight))
	if !(weight >= 0.001 && weight <= 1e6) {
		return fmt.Errorf("build: weight %g, wanted 0.001 to 1000000", weight)
	}
	b.fraction = b.fraction || ticks%ticksPerWeight != 0
	b.weighted = b.weighted || ticks != ticksPerWeight
	b.seen++
	if h := b.cfg.HeldOut; h > 0 && b.seen%uint64(h) == 0 && len(b.held) < maxHeld {
		b.held = append(b.held, Held{sentence, source})
		return nil
	}
	ids := append(b.ids[:0], lm.Begin)
	t := lm.NewTokens(b.cfg.Tokeniser, sentence)
	for {
		w := t.Next()
		if w == nil {
			break
		}
		id := b.vocab.id(w)
		if id < lm.Special { // the text of a special token is not a word
			continue
		}
		ids = append(ids, id)
	}
	if len(ids) == 1 {
		b.ids = ids
		return nil
	}
	ids = append(ids, lm.End)
	b.ids = ids
	b.stats.Sentences++
	b.stats.Bytes += uint64(len(sentence))
	b.stats.Tokens += uint64(len(ids) - 2)
	return b.counts.add(ids, ticks)
}

// Stats returns the current statistics.
func (b *Builder) Stats() Stats { return b.stats }

// Close releases memory and temporary files. It may be called at any time, and must be called at
// the end.
func (b *Builder) Close() error {
	var errs []error
	if b.counts != nil {
		errs = append(errs, b.counts.close())
		b.counts = nil
	}
	for _, p := range b.parts {
		errs = append(errs, p.Close())
	}
	b.parts = nil
	return errors.Join(errs...)
}

// sorted ends a sort and records it for Close.
func (b *Builder) sorted(s *extsort.Sorter) (*extsort.Sorted, error) {
	d, err := s.Sort()
	if err == nil {
		b.parts = append(b.parts, d)
		b.stats.Spilled += d.Spilled()
	}
	return d, err
}
