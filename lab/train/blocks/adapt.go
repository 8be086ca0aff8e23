package blocks

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"chaffinch/clean/blocks"
	"chaffinch/internal/boost"
	"chaffinch/internal/parallel"
	"chaffinch/lab/train/trees"
)

// AdaptConfig configures the adaptation of a model.
type AdaptConfig struct {
	// Trees configures the forest that is added to the model's.
	Trees trees.Config `json:"trees"`
	// Folds is the number of folds of the pages. The blocks of each fold are scored by linear
	// models trained without it.
	Folds int `json:"folds"`
	// Epochs is the number of passes of the linear models. AttrRate and WordRate are their initial
	// learning rates.
	Epochs   int     `json:"epochs"`
	AttrRate float64 `json:"attr_rate"`
	WordRate float64 `json:"word_rate"`
	// Workers is the number of goroutines, 0 for one per processor. The model does not depend on
	// it.
	Workers int `json:"-"`
}

// DefaultAdapt is suitable for about 30 to 300 pages.
var DefaultAdapt = AdaptConfig{
	Trees: trees.Config{Trees: 40, Depth: 3, Rate: .1, Lambda: 4, MinWeight: 2, ColSample: .4, RowSample: .8, Seed: 1},
	Folds: 5, Epochs: 4, AttrRate: .1, WordRate: .02,
}

// Check returns an error if the settings are invalid.
func (cfg AdaptConfig) Check() error {
	if cfg.Folds < 2 {
		return fmt.Errorf("blocks: adapt in %d folds: wanted at least 2", cfg.Folds)
	}
	return nil
}

// Adapt returns a copy of base adapted to pages of the user. The training of the linear models is
// continued, and a small forest is added that starts with the log odds of the old one. The pages
// may be from a single site. base does not change. progress may be nil.
func Adapt(ctx context.Context, cfg AdaptConfig, base *blocks.Model, all []*Example, progress func(step string, done, total int)) (*blocks.Model, error) {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	old, err := base.Parts()
	if err != nil {
		return nil, err
	}
	if old.More != nil || old.Lean != nil {
		return nil, errors.New("blocks: the model was adapted already: adapt the one that it was made of, with all pages")
	}
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	examples := slices.DeleteFunc(slices.Clone(all), func(x *Example) bool { return x.sheet.Blocks() == 0 })
	if len(examples) < cfg.Folds {
		return nil, fmt.Errorf("blocks: %d pages with text to adapt to, wanted at least %d", len(examples), cfg.Folds)
	}
	m := parts{old}
	m.Confidence = nil // which was trained on other probabilities
	for _, x := range examples {
		x.policy = 1
		if x.general == blocks.Main {
			x.policy = 0
		}
		x.weigh(1)
		x.sheet.SetHeadings(old.ReadsHeadings())
	}
	if err := m.refit(ctx, &old, examples, cfg, progress); err != nil {
		return nil, err
	}
	t := rows(examples)
	m.bins(t, examples, cfg.Workers)
	before, err := logOdds(old.Roles, t, examples)
	if err != nil {
		return nil, err
	}
	features, err := chosenFeatures(nil)
	if err != nil {
		return nil, err
	}
	features = slices.DeleteFunc(features, func(x boost.Feature) bool { return x.Col >= len(m.Cuts) })
	cfg.Trees.Workers = cfg.Workers
	more, err := trees.Train(ctx, cfg.Trees, t.matrix, features, t.target, t.weight, before, func(done, total int) { progress("trees", done, total) })
	if err != nil {
		return nil, err
	}
	if m.More, err = more.AppendBinary(nil); err != nil {
		return nil, err
	}
	return blocks.NewModel(m.Parts)
}

// logOdds returns the log odds of a forest of roles for the rows of t, for the roles that the pages
// keep.
func logOdds(forest []byte, t *table, examples []*Example) ([]float32, error) {
	var f boost.Classes
	if err := f.UnmarshalBinary(forest); err != nil {
		return nil, err
	}
	const k = blocks.Roles
	roles := make([]float32, t.matrix.Rows*k)
	f.Score(t.matrix, roles)
	out := make([]float32, t.matrix.Rows)
	for i, x := range examples {
		from := t.starts[i]
		copy(out[from:], x.sheet.LogOdds(roles[from*k:(from+x.sheet.Blocks())*k], x.keep))
	}
	return out, nil
}

// refit continues the training of the linear models of base and sets the columns of the examples,
// each by models trained without the page.
func (m *parts) refit(ctx context.Context, base *blocks.Parts, examples []*Example, cfg AdaptConfig, progress func(string, int, int)) error {
	order := slices.Clone(examples)
	slices.SortStableFunc(order, func(a, b *Example) int {
		if a.id < b.id {
			return -1
		} else if a.id > b.id {
			return 1
		}
		return 0
	})
	attr, words := make([]*blocks.Linear, cfg.Folds+1), make([]*blocks.Linear, cfg.Folds+1)
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
			attr[f] = fit(resume(base.Attr), part, cfg.Epochs, cfg.AttrRate, cfg.Trees.Seed, (*blocks.Sheet).AttrSlots)
		default:
			words[f] = fit(resume(base.Words), part, cfg.Epochs, cfg.WordRate, cfg.Trees.Seed, (*blocks.Sheet).WordSlots)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	progress("linear models", 1, 1)
	m.Attr, m.Words = attr[cfg.Folds], words[cfg.Folds]
	parallel.Each(cfg.Workers, cfg.Folds, func(f int) {
		l := blocks.NewLinearModels(&blocks.Parts{Attr: attr[f], Words: words[f], Hints: base.Hints, Pages: base.Pages, Cuts: base.Cuts})
		for k, x := range order {
			if k%cfg.Folds == f {
				x.sheet.Score(l)
				x.sheet.SetPolicy(x.keep)
			}
		}
	})
	return nil
}

// resume returns a descent that starts with the weights of l.
func resume(l *blocks.Linear) *descent {
	d := newDescent(len(l.Slabs) - 1)
	d.bias = l.Bias
	for i, s := range l.Slabs {
		for k, w := range s.Weights {
			d.slabs[i][k] = float32(w) * s.Scale
		}
	}
	return d
}
