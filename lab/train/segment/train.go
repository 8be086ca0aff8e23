// Package segment trains the weights of package segment on text with known words with [Train]:
// logistic regression for each position between two characters, with sparse weights, by
// FTRL-Proximal (McMahan et al., Ad Click Prediction: a View from the Trenches, KDD 2013).
package segment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"chaffinch/internal/settings"
	"chaffinch/text/token/segment"
)

// Config configures the training.
type Config struct {
	// Lang is the language of the model, as a BCP 47 tag.
	Lang string
	// Scripts lists the scripts in which it finds words. Default: the scripts with at least one
	// character in a hundred.
	Scripts []segment.Script
	// Words is a dictionary. Fold maps characters to equivalent ones.
	Words []string
	Fold  map[rune]rune
	// Epochs is the number of passes over all texts.
	Epochs int
	// MinCount is the minimum count of an n-gram around a position.
	MinCount int
	// Rate is the learning rate, L1 the strength of the L1 penalty.
	Rate, L1 float64
}

// Default is the configuration of the embedded models.
var Default = Config{Epochs: 20, MinCount: 1, Rate: .2, L1: .5}

// Text is a text with the byte offsets of the ends of its words.
type Text struct {
	Text string
	Ends []int
}

// Check returns an error if the configuration is invalid.
func (c *Config) Check() error {
	switch {
	case c.Lang == "":
		return &settings.FieldError{Field: "lang", Err: errors.New("no language: name it, such as th")}
	case c.Epochs < 1:
		return fmt.Errorf("%d epochs, wanted 1 or more", c.Epochs)
	case c.MinCount < 1:
		return fmt.Errorf("minimum count %d, wanted 1 or more", c.MinCount)
	case !(c.Rate > 0), !(c.L1 >= 0):
		return fmt.Errorf("rate %g and L1 %g, wanted a rate above 0 and 0 or more", c.Rate, c.L1)
	}
	return nil
}

// Train trains weights on texts. They depend only on the texts, their order and the configuration.
func Train(ctx context.Context, cfg Config, texts []Text) (*segment.Weights, error) {
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	if cfg.Scripts == nil {
		cfg.Scripts = scriptsOf(texts)
	}
	if len(cfg.Scripts) == 0 {
		return nil, fmt.Errorf("the texts hold none of the scripts without spaces between words: %v", segment.Scripts())
	}
	lex := segment.NewLexicon(cfg.Words, cfg.Fold)
	w := segment.NewWeights(segment.Config{Lang: cfg.Lang, Scripts: cfg.Scripts}, lex)
	set := gather(&cfg, lex, texts)
	if len(set.ends) == 0 {
		return nil, fmt.Errorf("the texts hold no place where a word may end")
	}
	if err := set.fit(ctx, &cfg); err != nil {
		return nil, err
	}
	set.fill(w, &cfg)
	return w, nil
}

// scriptsOf returns the scripts that are not rare in texts.
func scriptsOf(texts []Text) []segment.Script {
	counts := map[segment.Script]int{}
	all := 0
	for _, t := range texts {
		for _, r := range t.Text {
			if s := segment.ScriptOf(r); s != "" {
				counts[s]++
				all++
			}
		}
	}
	var names []segment.Script
	for s, n := range counts {
		if n*100 >= all {
			names = append(names, s)
		}
	}
	slices.Sort(names)
	return names
}

// set holds all positions of the texts with the indexes of their features.
type set struct {
	features []int32 // of all positions in sequence
	ends     []int   // the end of the features of each position
	labels   []bool  // whether a word ends there

	grams  [segment.MaxOrder]map[uint64]int32 // the feature of the first position
	kinds  int32                              // the first feature of each family
	inWord int32
	joint  int32
	size   int32
	z, n   []float64
}

// gather computes the features of all positions.
func gather(cfg *Config, lex *segment.Lexicon, texts []Text) *set {
	s := &set{}
	zero := segment.NewWeights(segment.Config{}, lex)
	s.kinds = 1 // 0 is the bias
	s.inWord = s.kinds + int32(len(zero.Kinds))
	s.joint = s.inWord + int32(len(zero.InWord))
	s.size = s.joint + int32(len(zero.Joint))
	counts := [segment.MaxOrder]map[uint64]int32{}
	for i := range counts {
		counts[i], s.grams[i] = map[uint64]int32{}, map[uint64]int32{}
	}
	for _, t := range texts {
		lex.EachPlace(t.Text, cfg.Scripts, func(p *segment.Place) {
			for i := range counts {
				for _, key := range p.Grams[i][:segment.Places(i+1)] {
					counts[i][key]++
				}
			}
		})
	}
	for _, t := range texts {
		ends := t.Ends
		lex.EachPlace(t.Text, cfg.Scripts, func(p *segment.Place) {
			for len(ends) > 0 && ends[0] < p.At {
				ends = ends[1:]
			}
			s.labels = append(s.labels, len(ends) > 0 && ends[0] == p.At)
			s.features = append(s.features, 0)
			for i := range s.grams {
				for place, key := range p.Grams[i][:segment.Places(i+1)] {
					if counts[i][key] < int32(cfg.MinCount) {
						continue
					}
					first, ok := s.grams[i][key]
					if !ok {
						first = s.size
						s.grams[i][key] = first
						s.size += int32(segment.Places(i + 1))
					}
					s.features = append(s.features, first+int32(place))
				}
			}
			for _, k := range p.Kinds {
				s.features = append(s.features, s.kinds+k)
			}
			if lex.Len() > 0 {
				for _, k := range p.InWord {
					s.features = append(s.features, s.inWord+k)
				}
				s.features = append(s.features, s.joint+p.Joint)
			}
			s.ends = append(s.ends, len(s.features))
		})
	}
	return s
}

// fit trains the weights. Products are rounded before they are added, so that no processor fuses
// the operations.
func (s *set) fit(ctx context.Context, cfg *Config) error {
	s.z, s.n = make([]float64, s.size), make([]float64, s.size)
	order := make([]int32, len(s.ends))
	for i := range order {
		order[i] = int32(i)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range cfg.Epochs {
		if err := ctx.Err(); err != nil {
			return err
		}
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, i := range order {
			from := 0
			if i > 0 {
				from = s.ends[i-1]
			}
			f := s.features[from:s.ends[i]]
			sum := 0.0
			for _, x := range f {
				sum += s.weight(cfg, x)
			}
			g := 1 / (1 + math.Exp(-sum))
			if s.labels[i] {
				g--
			}
			for _, x := range f {
				n := s.n[x]
				more := n + float64(g*g)
				sigma := (math.Sqrt(more) - math.Sqrt(n)) / cfg.Rate
				s.z[x] += g - float64(sigma*s.weight(cfg, x))
				s.n[x] = more
			}
		}
	}
	return nil
}

// weight returns the weight of a feature.
func (s *set) weight(cfg *Config, x int32) float64 {
	z := s.z[x]
	if math.Abs(z) <= cfg.L1 {
		return 0
	}
	return -(z - math.Copysign(cfg.L1, z)) / ((1 + math.Sqrt(s.n[x])) / cfg.Rate)
}

// fill copies the weights to w.
func (s *set) fill(w *segment.Weights, cfg *Config) {
	take := func(dst []float64, first int32) {
		for i := range dst {
			dst[i] = s.weight(cfg, first+int32(i))
		}
	}
	w.Bias = s.weight(cfg, 0)
	take(w.Kinds, s.kinds)
	take(w.InWord, s.inWord)
	take(w.Joint, s.joint)
	for i, rows := range s.grams {
		for key, first := range rows {
			row := make([]float64, segment.Places(i+1))
			take(row, first)
			w.Grams[i][key] = row
		}
	}
}
