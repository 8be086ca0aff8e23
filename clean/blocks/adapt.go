package blocks

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chaffinch/clean"
	"chaffinch/internal/boost"
	"chaffinch/internal/boost/trees"
	"chaffinch/internal/parallel"
	"chaffinch/page"
)

// AdaptConfig says how a model is adapted.
type AdaptConfig struct {
	// Trees is the forest that is added to the one of the model.
	Trees clean.TreeConfig `json:"trees"`
	// Folds is the number of parts of the pages: the linear models score the
	// blocks of each part without having seen it.
	Folds int `json:"folds"`
	// Epochs is how often the linear models see each block, AttrRate and
	// WordRate the first steps of the two.
	Epochs   int     `json:"epochs"`
	AttrRate float64 `json:"attr_rate"`
	WordRate float64 `json:"word_rate"`
	// Workers is the number of goroutines, 0 for one per processor. It does
	// not change the model.
	Workers int `json:"-"`
}

// DefaultAdapt suits some 30 to 300 pages.
var DefaultAdapt = AdaptConfig{
	Trees: clean.TreeConfig{Trees: 40, Depth: 3, Rate: .1, Lambda: 4, MinWeight: 2, ColSample: .4, RowSample: .8, Seed: 1},
	Folds: 5, Epochs: 4, AttrRate: .1, WordRate: .02,
}

// Check tells what is wrong with the settings.
func (cfg AdaptConfig) Check() error {
	if cfg.Folds < 2 {
		return fmt.Errorf("blocks: adapt in %d folds: wanted at least 2", cfg.Folds)
	}
	return nil
}

// Adapt returns base with what it gets wrong on pages of your own put right:
// the linear models go on from where they are, and a small forest is added that
// begins with the log odds of the old one. The pages may be from a single site.
// base is not changed. progress may be nil.
func Adapt(ctx context.Context, cfg AdaptConfig, base *Model, all []*Example, progress clean.Progress) (*Model, error) {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	if base.more != nil || base.lean != nil {
		return nil, errors.New("blocks: the model was adapted already: adapt the one that it was made of, with all pages")
	}
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	examples := slices.DeleteFunc(slices.Clone(all), func(x *Example) bool { return x.sheet.n == 0 })
	if len(examples) < cfg.Folds {
		return nil, fmt.Errorf("blocks: %d pages with text to adapt to, wanted at least %d", len(examples), cfg.Folds)
	}
	m := *base
	m.card, m.confidence = nil, nil // which was learned of other probabilities
	for _, x := range examples {
		x.policy = 1
		if x.general == Main {
			x.policy = 0
		}
		x.weigh(1)
	}
	if err := m.refit(ctx, base, examples, cfg, progress); err != nil {
		return nil, err
	}
	t := rows(examples)
	m.bins(t, examples, cfg.Workers)
	old := base.logOdds(t, examples)
	features, err := chosenFeatures(nil)
	if err != nil {
		return nil, err
	}
	features = slices.DeleteFunc(features, func(x boost.Feature) bool { return x.Col >= m.known })
	cfg.Trees.Workers = cfg.Workers
	m.more, err = trees.Train(ctx, trees.Config(cfg.Trees), t.matrix, features, t.target, t.weight, old, func(done, total int) { progress("trees", done, total) })
	if err != nil {
		return nil, err
	}
	m.prepare()
	return &m, nil
}

// logOdds returns those that m gives to the rows of t for the roles that the
// pages keep.
func (m *Model) logOdds(t *table, examples []*Example) []float32 {
	k := page.RoleCount
	roles := make([]float32, t.matrix.Rows*k)
	m.roles.Score(t.matrix, roles)
	out := make([]float32, t.matrix.Rows)
	for i, x := range examples {
		from := t.starts[i]
		ofPage := roles[from*k : (from+x.sheet.n)*k]
		probabilities(ofPage, x.sheet.blocks)
		for b := range x.sheet.n {
			out[from+b] = logit(Probability(ofPage[b*k:(b+1)*k], x.keep))
		}
	}
	return out
}

// refit goes on with the training of the linear models of base and sets the
// columns of the examples, each by models that have not seen the page.
func (m *Model) refit(ctx context.Context, base *Model, examples []*Example, cfg AdaptConfig, progress func(string, int, int)) error {
	order := slices.Clone(examples)
	slices.SortStableFunc(order, func(a, b *Example) int {
		if a.id < b.id {
			return -1
		} else if a.id > b.id {
			return 1
		}
		return 0
	})
	attr, words := make([]*linear, cfg.Folds+1), make([]*linear, cfg.Folds+1)
	parallel.Each(cfg.Workers, 2*(cfg.Folds+1), func(i int) {
		f := i / 2
		var part []*Example
		for k, x := range order {
			if k%cfg.Folds != f {
				part = append(part, x)
			}
		}
		switch {
		case ctx.Err() != nil:
		case i%2 == 0:
			attr[f] = fit(resume(base.attr), part, cfg.Epochs, cfg.AttrRate, cfg.Trees.Seed, attrSlots)
		default:
			words[f] = fit(resume(base.words), part, cfg.Epochs, cfg.WordRate, cfg.Trees.Seed, wordSlots)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	progress("linear models", 1, 1)
	m.attr, m.words = attr[cfg.Folds], words[cfg.Folds]
	parallel.Each(cfg.Workers, cfg.Folds, func(f int) {
		l := newLinears(attr[f], words[f], base.hints)
		for k, x := range order {
			if k%cfg.Folds == f {
				x.linearColumns(base.pages, &l)
				x.sheet.fill(colPolicy, policyOf(x.keep))
			}
		}
	})
	return nil
}

// resume returns a descent that begins with the weights of l.
func resume(l *linear) *descent {
	d := newDescent(len(l.slabs) - 1)
	d.bias = l.bias
	for i, s := range l.slabs {
		for k, w := range s.w {
			d.slabs[i][k] = float32(w) * s.scale
		}
	}
	return d
}
