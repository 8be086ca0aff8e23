// Package blocks trains models of the method blocks (clean/blocks) on pages with gold text. [Train]
// trains a model, [Adapt] adapts one to a site or kind of page, and [Tune] adjusts it to labelled
// pages.
//
// The model learns roles from annotated pages and from many more pages with only gold text. The
// convention of a set is the probability that it keeps each role, estimated where both are known.
// Whether a block is kept is then evidence for its role (evidence.go), as is markup that states
// roles (stated.go). So sets with different conventions for the same kind of block still teach its
// role, and a new convention needs no training.
package blocks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"chaffinch/clean/blocks"
	"chaffinch/internal/boost"
	"chaffinch/internal/parallel"
	"chaffinch/lab/train/trees"
)

// TrainConfig configures the training of a model.
type TrainConfig struct {
	// Trees configures the forest.
	Trees trees.Config `json:"trees"`
	// Bins is the number of bins of a column, PageBins of a column that is the same for all blocks
	// of a page. PageBins is small to avoid overfitting to single pages.
	Bins     int `json:"bins"`
	PageBins int `json:"page_bins"`
	// Folds is the number of folds of the sites. The blocks of each fold are scored by linear
	// models trained without it, so that the trees learn from realistic scores.
	Folds int `json:"folds"`
	// Epochs is the number of passes of a linear model. AttrRate, WordRate and RoleRate are the
	// initial learning rates of the three models.
	Epochs   int     `json:"epochs"`
	AttrRate float64 `json:"attr_rate"`
	WordRate float64 `json:"word_rate"`
	RoleRate float64 `json:"role_rate"`
	// Balance balances the weights of the policies: a page of a policy with n pages has weight n to
	// the power of -Balance.
	Balance float64 `json:"balance"`
	// Columns is the number of columns used by the trees, selected by the gain in a first forest of
	// Scouts trees. Default: all.
	Columns int `json:"columns"`
	Scouts  int `json:"scouts"`
	// Without lists columns or groups of columns to omit (see columnGroups), for ablations.
	Without []string `json:"without,omitempty"`
	// Confidence configures the training of page confidence.
	Confidence ConfidenceConfig `json:"confidence"`
	// Workers is the number of goroutines, 0 for one per processor. The model does not depend on
	// it.
	Workers int `json:"-"`
}

// DefaultTrain is the configuration of the embedded model.
var DefaultTrain = TrainConfig{
	Trees: trees.Config{Trees: 256, Depth: 6, Rate: .15, Lambda: 10, MinWeight: 1, ColSample: .2, RowSample: .5, Seed: 1},
	Bins:  64, PageBins: 8, Folds: 4, Epochs: 3, AttrRate: .05, WordRate: .05, RoleRate: .1, Balance: .7, Columns: 112, Scouts: 64,
	Confidence: ConfidenceConfig{Folds: 3, Trees: 130, Rate: .3, MinPages: 200, Bins: 32,
		Forest: trees.Config{Trees: 200, Depth: 3, Rate: .1, Lambda: 3, MinWeight: 1, ColSample: .3, RowSample: .7, Seed: 1}},
}

// Check returns an error if the settings are invalid.
func (cfg TrainConfig) Check() error {
	if cfg.Folds < 2 {
		return fmt.Errorf("blocks: %d folds: wanted at least 2", cfg.Folds)
	}
	if cfg.Columns < 0 || cfg.Columns > 0 && cfg.Scouts < 1 {
		return fmt.Errorf("blocks: %d columns chosen by %d trees: wanted 0 or more, by at least 1", cfg.Columns, cfg.Scouts)
	}
	if err := cfg.Confidence.Check(); err != nil {
		return err
	}
	_, err := chosenFeatures(cfg.Without)
	return err
}

// gap is the number of empty rows between pages in the training matrix, so that neighbours of a
// block are on its page.
const gap = maxShift

// Train trains a model. progress may be nil.
func Train(ctx context.Context, cfg TrainConfig, all []*Example, progress func(step string, done, total int)) (*blocks.Model, error) {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	features, err := chosenFeatures(cfg.Without)
	if err != nil {
		return nil, err
	}
	examples := slices.DeleteFunc(slices.Clone(all), func(x *Example) bool { return x.sheet.Blocks() == 0 })
	if len(examples) == 0 {
		return nil, errors.New("blocks: no page with text to learn from")
	}
	m := new(parts)
	policies := assign(examples)
	balance(examples, cfg.Balance)
	if err := m.fitLinear(ctx, examples, policies, cfg, progress); err != nil {
		return nil, err
	}
	if m.Types, err = learnTypes(ctx, examples, cfg.Workers); err != nil {
		return nil, err
	}
	t := m.table(examples, cfg)
	of, list := t.evidence(examples)
	progress("trees", 0, cfg.Trees.Trees)
	cfg.Trees.Workers = cfg.Workers
	var forest growForest = func(weight []float32, cfg trees.Config, progress func(done, total int)) (*boost.Classes, []float64, error) {
		return trees.TrainClasses(ctx, cfg, t.matrix, features, of, list, weight, tasks(), progress)
	}
	if features, err = bestFeatures(features, cfg, forest, t.weight); err != nil {
		return nil, err
	}
	roles, _, err := forest(t.weight, cfg.Trees, func(done, total int) { progress("trees", done, total) })
	if err != nil {
		return nil, err
	}
	if m.Roles, err = roles.AppendBinary(nil); err != nil {
		return nil, err
	}
	if m.Confidence, err = m.learnConfidence(ctx, cfg, t, examples, forest, progress); err != nil {
		return nil, err
	}
	return blocks.NewModel(m.Parts)
}

// parts is a model during training.
type parts struct{ blocks.Parts }

// assign assigns each example its policy for the linear models, and returns their number, the ones of
// the columns first. Half of the pages with a convention are assigned the general policy.
func assign(examples []*Example) int {
	policies := []string{blocks.Main, blocks.Article}
	for _, x := range examples {
		for _, p := range []string{x.convention, x.general} {
			if !slices.Contains(policies, p) {
				policies = append(policies, p)
			}
		}
	}
	slices.Sort(policies[2:])
	for _, x := range examples {
		x.policy = slices.Index(policies, x.convention)
		if x.id>>17%2 == 0 {
			x.policy = slices.Index(policies, x.general)
		}
	}
	return len(policies)
}

// balance sets the weights of the examples.
func balance(examples []*Example, by float64) {
	pages := map[string]int{}
	for _, x := range examples {
		if !x.lent {
			pages[x.convention]++
		}
	}
	const typical, lentWeight = 300, .5
	for _, x := range examples {
		if x.lent {
			x.weigh(lentWeight)
			continue
		}
		x.weigh(x.scale * math.Pow(typical/float64(pages[x.convention]), by))
	}
}

// fitLinear trains the linear models and sets the columns of their scores, for each page by models
// trained without its site.
func (m *parts) fitLinear(ctx context.Context, examples []*Example, policies int, cfg TrainConfig, progress func(string, int, int)) error {
	foldOf := func(x *Example) int { return int(x.site >> 20 % uint64(cfg.Folds)) }
	attr, words := make([]*blocks.Linear, cfg.Folds+1), make([]*blocks.Linear, cfg.Folds+1)
	pages := make([]*blocks.PageModel, cfg.Folds+1)
	roles := make([]*blocks.Hints, cfg.Folds+1)
	done := 0
	var mu sync.Mutex
	const kinds = 4 // number of models
	parallel.Each(cfg.Workers, kinds*(cfg.Folds+1), func(i int) {
		f := i / kinds
		part := slices.DeleteFunc(slices.Clone(examples), func(x *Example) bool { return f < cfg.Folds && foldOf(x) == f })
		switch {
		case ctx.Err() != nil:
		case i%kinds == 0:
			attr[f] = fit(newDescent(policies), part, cfg.Epochs, cfg.AttrRate, cfg.Trees.Seed, (*blocks.Sheet).AttrSlots)
		case i%kinds == 1:
			words[f] = fit(newDescent(policies), part, cfg.Epochs, cfg.WordRate, cfg.Trees.Seed, (*blocks.Sheet).WordSlots)
		case i%kinds == 2:
			roles[f] = fitHints(part, conventions(part), cfg.Epochs, cfg.RoleRate, cfg.Trees.Seed)
		default:
			pages[f] = fitPages(part, cfg.Trees.Seed)
		}
		mu.Lock()
		done++
		progress("linear models", done, kinds*(cfg.Folds+1))
		mu.Unlock()
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	m.Attr, m.Words, m.Pages, m.Hints = general(attr[cfg.Folds]), general(words[cfg.Folds]), pages[cfg.Folds], roles[cfg.Folds]
	parallel.Each(cfg.Workers, cfg.Folds, func(f int) {
		l := blocks.NewLinearModels(&blocks.Parts{Attr: attr[f], Words: words[f], Hints: roles[f], Pages: pages[f]})
		for _, x := range examples {
			if foldOf(x) == f {
				x.sheet.Score(l)
				x.sheet.SetPolicy(x.keep)
			}
		}
	})
	return nil
}

// table is the training data of the forest: the blocks of all pages as rows.
type table struct {
	matrix         *boost.Matrix
	starts         []int // row of the first block of each example
	target, weight []float32
}

// table computes the cuts of the columns and bins the blocks of the examples.
func (m *parts) table(examples []*Example, cfg TrainConfig) *table {
	t := rows(examples)
	const every = 3 // sampling rate of the values for the cuts
	m.Cuts = make([][]float32, len(blocks.Columns()))
	parallel.Each(cfg.Workers, len(m.Cuts), func(c int) {
		var values []float32
		for i, x := range examples {
			for k, v := range x.sheet.Column(c) {
				if (t.starts[i]+k)%every == 0 {
					values = append(values, v)
				}
			}
		}
		bins := cfg.Bins
		if blocks.OfPage(c) {
			bins = cfg.PageBins
		}
		m.Cuts[c] = trees.Cuts(values, nil, bins)
	})
	m.bins(t, examples, cfg.Workers)
	return t
}

// rows returns a table of the blocks of the examples with targets and weights.
func rows(examples []*Example) *table {
	t := &table{starts: make([]int, len(examples))}
	n := gap
	for i, x := range examples {
		t.starts[i] = n
		n += x.sheet.Blocks() + gap
	}
	t.matrix = boost.NewMatrix(n, len(blocks.Columns()))
	t.target, t.weight = make([]float32, n), make([]float32, n)
	for i, x := range examples {
		copy(t.target[t.starts[i]:], x.target)
		copy(t.weight[t.starts[i]:], x.weight)
	}
	return t
}

// bins fills the matrix with the binned values of the columns.
func (m *parts) bins(t *table, examples []*Example, workers int) {
	parallel.Each(workers, len(t.matrix.Cols), func(c int) {
		col := t.matrix.Cols[c][boost.Pad:]
		for i, x := range examples {
			for k, v := range x.sheet.Column(c) {
				col[t.starts[i]+k] = boost.Bin(v, m.Cuts[c])
			}
		}
	})
}
