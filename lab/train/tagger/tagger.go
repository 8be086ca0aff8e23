// Package tagger trains models of package text/tag from treebanks in CoNLL-U with [Train].
package tagger

import (
	"context"
	"errors"
	"fmt"

	"chaffinch/format/conllu"
	"chaffinch/text/tag"
)

// Config configures a training.
type Config struct {
	// Lang is the language as a BCP 47 tag, "" if unknown.
	Lang string
	// Lexicon adds words, lemmas and tags.
	Lexicon []Entry
	// Passes is the number of passes over the treebank.
	Passes int
	// Runs is the number of independent runs, each over the sentences in another order. The weights are
	// the sums of the runs.
	Runs int
	// Margin is the difference of scores that the right tag must have from all others in training.
	Margin int
	// Bits is the number of bits of an index of the table of weights: 20 for 1 MiB.
	Bits int
	// Guesses is the maximum number of candidates of an unknown word. Rare is the maximum count of
	// words from which they are guessed. Closed is the minimum count of a word whose tags are all
	// known.
	Guesses, Rare, Closed int
	// Seed seeds the order of the sentences.
	Seed uint64
}

// Default is the default configuration. lab/results/tagging.md lists the experiments.
var Default = Config{Passes: 5, Runs: 3, Margin: 200, Bits: 20, Guesses: 12, Rare: 12, Closed: 8, Seed: 1}

// Check returns an error if a setting is out of range.
func (c *Config) Check() error {
	switch {
	case c.Passes < 1 || c.Passes > 100:
		return fmt.Errorf("%d passes: wanted 1 to 100", c.Passes)
	case c.Runs < 1 || c.Runs > 20:
		return fmt.Errorf("%d runs: wanted 1 to 20", c.Runs)
	case c.Margin < 0 || c.Margin > 1e6:
		return fmt.Errorf("margin %d: wanted 0 to 1000000", c.Margin)
	case c.Bits < 10 || c.Bits > 24:
		return fmt.Errorf("2^%d weights: wanted 2^10 to 2^24", c.Bits)
	case c.Guesses < 1 || c.Guesses > 24:
		return fmt.Errorf("%d candidates: wanted 1 to 24", c.Guesses)
	}
	return nil
}

// Train trains a model on a treebank. The result depends only on the sentences, their order and the
// configuration.
func Train(ctx context.Context, cfg Config, list []*conllu.Sentence, progress func(done, total int)) (*tag.Model, error) {
	w, err := Fit(ctx, cfg, list, progress)
	if err != nil {
		return nil, err
	}
	return tag.New(w)
}

// Fit is [Train] and returns the parameters of the model.
func Fit(ctx context.Context, cfg Config, list []*conllu.Sentence, progress func(done, total int)) (tag.Weights, error) {
	if err := cfg.Check(); err != nil {
		return tag.Weights{}, err
	}
	sentences := convert(list)
	if len(sentences) == 0 {
		return tag.Weights{}, errors.New("no sentence with parts of speech")
	}
	tc := tag.Config{Lang: cfg.Lang, Bits: cfg.Bits, Guesses: cfg.Guesses, Rare: cfg.Rare, Closed: cfg.Closed, Turkic: isTurkic(sentences)}
	tc.NoLemmas = true
	for _, s := range sentences {
		for _, w := range s.words {
			if w.lemma != "" {
				tc.NoLemmas = false
			}
		}
	}
	v := newVocabulary(tc)
	v.read(sentences)
	v.web()
	lexicon, tags := v.lexicon(cfg.Lexicon)
	w := v.weights()
	w.Lexicon, w.LexiconTags, w.Likely = lexicon, tags, v.likely(lexicon, len(tags))
	w.Splits = splits(&tc, sentences)
	m, err := tag.New(w)
	if err != nil {
		return w, err
	}
	p := newPerceptron(m, v, sentences, cfg)
	sum := make([]float64, 1<<cfg.Bits)
	for run := range cfg.Runs {
		err := p.learn(ctx, cfg, run, func(done int) {
			if progress != nil {
				progress(run*cfg.Passes+done, cfg.Runs*cfg.Passes)
			}
		})
		if err != nil {
			return w, err
		}
		p.addTo(sum)
	}
	w.Table = quantize(sum)
	if !tc.NoLemmas {
		w.Lemmas = learnLemmas(m, v, sentences, cfg)
	}
	return w, nil
}
