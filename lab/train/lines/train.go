// Package lines trains models of the method lines (clean/lines) with [Train] and adapts them to
// documents with [Adapt].
package lines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	_ "chaffinch/model/data/languages"

	"chaffinch/clean/lines"
	"chaffinch/internal/boost"
	"chaffinch/internal/parallel"
	"chaffinch/internal/recurrent"
	"chaffinch/lab/train/nets"
	"chaffinch/lab/train/trees"
)

// TrainConfig configures the training of a model.
type TrainConfig struct {
	// Shape is the shape of the recurrent networks; the width of the input is set by Train. The
	// number of rows of a table of embeddings should be a power of two; ids are hashes below 1<<18.
	Shape lines.NetShape `json:"shape"`
	// Net configures the training of the networks, Nets is their number, each with another seed; 0
	// for none. With development documents, training stops early.
	Net  nets.Config `json:"net"`
	Nets int         `json:"nets"`
	// NGrams configures the training of the regressions over n-grams.
	NGrams NGramConfig `json:"ngrams"`
	// Folds is the number of folds of the documents. The lines of each fold are scored by
	// regressions trained without it, so that later models learn from realistic scores.
	Folds int `json:"folds"`
	// Trees configures the forest. Forests is the number of forests with different seeds that are
	// averaged, 0 for none. Reach is the number of lines before and after a line that the trees
	// use, Bins the number of bins of a column, Mix the weight of the forest in the log odds.
	Trees   trees.Config `json:"trees"`
	Forests int          `json:"forests"`
	Reach   int          `json:"reach"`
	Bins    int          `json:"bins"`
	Mix     float64      `json:"mix"`
	// Balance balances the weights of languages: a line of a language with n documents has weight n
	// to the power of -Balance. LineBalance is the same for documents of n lines.
	Balance     float64 `json:"balance"`
	LineBalance float64 `json:"line_balance"`
	// Without lists groups of columns (see [lines.ColumnGroups]) or n-grams ("ngrams") to omit, for
	// ablations.
	Without []string `json:"without,omitempty"`
	// Workers is the number of goroutines, 0 for one per processor. The model does not depend on
	// it.
	Workers int `json:"-"`
}

// DefaultTrain is the configuration of the embedded model.
var DefaultTrain = TrainConfig{
	Shape:  lines.NetShape{Project: 24, Cell: "gru", Hidden: 16, Layers: 1, Skip: true},
	Net:    nets.Default,
	Nets:   3,
	NGrams: NGramConfig{Epochs: 4, Rate: .3, Decay: 1e-4},
	Folds:  5,
	Trees:  trees.Config{Trees: 200, Depth: 5, Rate: .08, Lambda: 10, MinWeight: 1, ColSample: .2, RowSample: .5, Seed: 1},
	Bins:   48, Reach: 3, Forests: 1, Mix: .5,
	Balance: .5, LineBalance: .3,
}

// Check returns an error if the settings are invalid.
func (cfg TrainConfig) Check() error {
	switch {
	case cfg.Nets < 0 || cfg.Forests < 0 || cfg.Nets+cfg.Forests == 0:
		return fmt.Errorf("lines: %d networks and %d forests: wanted at least one of them", cfg.Nets, cfg.Forests)
	case cfg.NGrams.Epochs > 0 && cfg.Folds < 2:
		return fmt.Errorf("lines: %d folds, wanted at least 2", cfg.Folds)
	case !(cfg.Mix >= 0 && cfg.Mix <= 1):
		return fmt.Errorf("lines: share of the forest %v, wanted 0 to 1", cfg.Mix)
	case cfg.Reach < 0 || cfg.Reach > boost.Pad:
		return fmt.Errorf("lines: trees see %d lines on each side, wanted 0 to %d", cfg.Reach, boost.Pad)
	}
	return nil
}

// withoutNGrams is the name under which the regressions are omitted.
const withoutNGrams = "ngrams"

// Gold holds the labelled lines of a document.
type Gold struct {
	// ID is the name of the document in messages.
	ID string
	// Lang is the language (BCP 47), "" if unknown.
	Lang  string
	Lines []string
	// Labels holds an entry for each line: true = text, false = boilerplate.
	Labels []bool
	// Weight is the weight of the document. Default: 1.
	Weight float64
}

// example is a training document.
type example struct {
	doc    *lines.Document
	rows   []float32 // from lines.Features, then standardised
	target []float32
	weight []float32
	ids    []uint32
	ends   []int32
}

// sequence returns x as the input of a network.
func (x *example) sequence() *nets.Example {
	return &nets.Example{Sequence: recurrent.Sequence{N: x.doc.Lines(), Dense: x.rows, IDs: x.ids, Ends: x.ends}, Target: x.target, Weight: x.weight}
}

// Train trains a model on the documents of train. The networks keep the epoch that is best on dev,
// which may be empty. The result depends only on the documents and the configuration. progress may
// be nil.
func Train(ctx context.Context, cfg TrainConfig, train, dev []*Gold, progress func(step string, done, total int)) (*lines.Model, error) {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	m := &parts{Parts: lines.Parts{Threshold: .5, Mix: float32(cfg.Mix)}}
	if err := m.choose(&cfg); err != nil {
		return nil, err
	}
	examples, err := readDocs(ctx, train, cfg, progress)
	if err != nil {
		return nil, err
	}
	if len(examples) == 0 {
		return nil, errors.New("lines: no document with lines to learn from")
	}
	held, err := readDocs(ctx, dev, cfg, func(string, int, int) {})
	if err != nil {
		return nil, err
	}
	if cfg.NGrams.Epochs > 0 {
		if err := m.fitNGrams(ctx, examples, held, cfg, progress); err != nil {
			return nil, err
		}
	} else {
		m.eachRows(examples, cfg.Workers, func(int) (a, b *lines.NGrams) { return nil, nil })
		m.eachRows(held, cfg.Workers, func(int) (a, b *lines.NGrams) { return nil, nil })
	}
	m.fitStandard(examples, held)
	if err := m.fitNets(ctx, examples, held, cfg, progress); err != nil {
		return nil, err
	}
	if err := m.fitForest(ctx, examples, cfg, progress); err != nil {
		return nil, err
	}
	return m.model()
}

// choose selects the features of the model.
func (m *parts) choose(cfg *TrainConfig) error {
	var without []string
	for _, w := range cfg.Without {
		if w == withoutNGrams {
			cfg.NGrams.Epochs = 0
			cfg.Shape.Rows, cfg.Shape.Dim = 0, 0
		} else {
			without = append(without, w)
		}
	}
	var err error
	if m.Features, err = lines.NewFeatures(without, cfg.NGrams.Epochs > 0); err != nil {
		return err
	}
	if m.Features.Columns() == 0 && cfg.NGrams.Epochs <= 0 {
		return errors.New("lines: nothing to learn from: all groups of columns and the n-grams are left out")
	}
	if cfg.Nets == 0 {
		m.Mix = 1
	} else if cfg.Forests == 0 {
		m.Mix = 0
	}
	return cfg.Check()
}

// readDocs computes the features and weights of documents.
func readDocs(ctx context.Context, docs []*Gold, cfg TrainConfig, progress func(step string, done, total int)) ([]*example, error) {
	of := map[string]float64{} // total weight of the documents of a language
	var used []*Gold
	for _, d := range docs {
		if len(d.Lines) != len(d.Labels) {
			return nil, fmt.Errorf("lines: document %s: %d labels for %d lines", d.ID, len(d.Labels), len(d.Lines))
		}
		if len(d.Lines) > 0 {
			of[d.Lang] += weightOf(d)
			used = append(used, d)
		}
	}
	out := make([]*example, len(used))
	var done atomic.Int64
	parallel.Each(cfg.Workers, len(used), func(i int) {
		if ctx.Err() != nil {
			return
		}
		d := used[i]
		x := &example{doc: lines.Read(d.Lang, d.Lines)}
		weight := float32(weightOf(d) * math.Pow(typicalDocs/of[d.Lang], cfg.Balance) * math.Pow(typicalLines/float64(len(d.Lines)), cfg.LineBalance))
		for _, text := range d.Labels {
			y := float32(0)
			if text {
				y = 1
			}
			x.target = append(x.target, y)
			x.weight = append(x.weight, weight)
		}
		if cfg.Shape.Dim > 0 {
			for i := range d.Lines {
				x.ids = append(append(x.ids, x.doc.WordGrams(i)...), x.doc.CharGrams(i)...)
				x.ends = append(x.ends, int32(len(x.ids)))
			}
		}
		out[i] = x
		progress("read", int(done.Add(1)), len(used))
	})
	return out, ctx.Err()
}

// weightOf returns the weight of a document.
func weightOf(d *Gold) float64 { return cmp.Or(d.Weight, 1) }

// The numbers of documents of a language and of lines of a document for which weights are 1.
const (
	typicalDocs  = 100
	typicalLines = 40
)

// fitNGrams trains the regressions, starting with the ones of m if any, and sets the rows of the
// examples, each with scores of regressions trained without it.
func (m *parts) fitNGrams(ctx context.Context, examples, held []*example, cfg TrainConfig, progress func(step string, done, total int)) error {
	words, chars := make([]*lines.NGrams, cfg.Folds+1), make([]*lines.NGrams, cfg.Folds+1)
	var done atomic.Int64
	parallel.Each(cfg.Workers, 2*(cfg.Folds+1), func(i int) {
		if ctx.Err() != nil {
			return
		}
		f, to, ids, from := i/2, words, (*lines.Document).WordGrams, m.Words
		if i%2 == 1 {
			to, ids, from = chars, (*lines.Document).CharGrams, m.Chars
		}
		to[f] = fitNGrams(samples(examples, func(k int) bool { return k%cfg.Folds != f }, ids), cfg.NGrams, cfg.Net.Seed, from)
		progress("n-grams", int(done.Add(1)), 2*(cfg.Folds+1))
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	first := m.Words == nil
	m.Words, m.Chars = words[cfg.Folds], chars[cfg.Folds]
	m.learnScripts(examples)
	m.eachRows(examples, cfg.Workers, func(k int) (a, b *lines.NGrams) { return words[k%cfg.Folds], chars[k%cfg.Folds] })
	if first { // a few more documents do not change the usual scores
		m.learnUsual(examples, cfg.Workers)
	}
	m.eachRows(held, cfg.Workers, func(int) (a, b *lines.NGrams) { return m.Words, m.Chars })
	return nil
}

// samples returns the lines of the examples selected by in.
func samples(examples []*example, in func(k int) bool, ids func(d *lines.Document, i int) []uint32) (out []sample) {
	for k, x := range examples {
		if !in(k) {
			continue
		}
		for i, y := range x.target {
			out = append(out, sample{ids(x.doc, i), y, x.weight[i]})
		}
	}
	return out
}

// eachRows sets the rows of the examples with the scores of the regressions that by returns for
// each.
func (m *parts) eachRows(examples []*example, workers int, by func(k int) (words, chars *lines.NGrams)) {
	parallel.Each(workers, len(examples), func(k int) {
		x := examples[k]
		words, chars := by(k)
		x.rows = m.Features.Rows(x.doc, words, chars)
	})
}

// fitStandard standardises the rows.
func (m *parts) fitStandard(examples, held []*example) {
	var rows [][]float32
	for _, x := range examples {
		rows = append(rows, x.rows)
	}
	m.Features.Mean, m.Features.Scale = fitStandard(rows, m.Features.Width())
	m.scale(examples)
	m.scale(held)
}

// scale standardises the rows of examples like m.
func (m *parts) scale(examples []*example) {
	for _, x := range examples {
		m.Features.Standardise(x.rows, x.doc)
	}
}

// fitNets trains the networks.
func (m *parts) fitNets(ctx context.Context, examples, held []*example, cfg TrainConfig, progress func(step string, done, total int)) error {
	var train, dev []*nets.Example
	for _, x := range examples {
		train = append(train, x.sequence())
	}
	for _, x := range held {
		dev = append(dev, x.sequence())
	}
	shape := shapeOf(cfg.Shape)
	shape.Dense = m.Features.Width()
	for k := range cfg.Nets {
		one := cfg.Net
		one.Seed += uint64(k)
		one.Workers = cfg.Workers
		n, err := nets.New(shape, one.Seed)
		if err != nil {
			return err
		}
		if err := nets.Train(ctx, one, n, train, dev, func(e nets.Epoch) {
			progress("networks", k*one.Epochs+e.Number, cfg.Nets*one.Epochs)
		}); err != nil {
			return err
		}
		n.Round()
		m.nets = append(m.nets, n)
	}
	return nil
}

// fitForest trains the forest.
func (m *parts) fitForest(ctx context.Context, examples []*example, cfg TrainConfig, progress func(step string, done, total int)) error {
	if cfg.Forests == 0 {
		return nil
	}
	t := m.table(examples, cfg)
	features := cfg.features(m.Features.Width())
	forests := make([]*boost.Forest, cfg.Forests)
	for k := range forests {
		one := cfg.Trees
		one.Seed += uint64(k)
		one.Workers = cfg.Workers
		var err error
		forests[k], err = trees.Train(ctx, one, t.matrix, features, t.target, t.weight, nil, func(done, total int) {
			progress("trees", k*total+done, cfg.Forests*total)
		})
		if err != nil {
			return err
		}
	}
	m.forest = forests[0]
	if len(forests) > 1 {
		m.forest = trees.Mean(forests...)
	}
	return nil
}

// features returns the features of the forest: each of width columns, of a line and of the lines
// around it.
func (cfg TrainConfig) features(width int) (features []boost.Feature) {
	for c := range width {
		features = append(features, boost.Feature{Col: c})
		for s := 1; s <= cfg.Reach; s++ {
			features = append(features, boost.Feature{Col: c, Shift: -s}, boost.Feature{Col: c, Shift: s})
		}
	}
	return features
}

// table is the training data of a forest: the lines of all documents as rows, with empty rows of
// weight 0 between documents.
type table struct {
	matrix         *boost.Matrix
	target, weight []float32
}

// table computes the cuts of the columns unless they exist, and bins the rows of the examples.
func (m *parts) table(examples []*example, cfg TrainConfig) *table {
	starts := make([]int, len(examples))
	n := boost.Pad
	for i, x := range examples {
		starts[i] = n
		n += x.doc.Lines() + boost.Pad
	}
	width := m.Features.Width()
	t := &table{boost.NewMatrix(n, width), make([]float32, n), make([]float32, n)}
	for i, x := range examples {
		copy(t.target[starts[i]:], x.target)
		copy(t.weight[starts[i]:], x.weight)
	}
	find := m.Cuts == nil
	if find {
		m.Cuts = make([][]float32, width)
	}
	parallel.Each(cfg.Workers, width, func(c int) {
		if find {
			var values []float32
			for _, x := range examples {
				for k := c; k < len(x.rows); k += width {
					values = append(values, x.rows[k])
				}
			}
			m.Cuts[c] = trees.Cuts(values, nil, cfg.Bins)
		}
		col := t.matrix.Cols[c][boost.Pad:]
		for i, x := range examples {
			for k := range x.doc.Lines() {
				col[starts[i]+k] = boost.Bin(x.rows[k*width+c], m.Cuts[c])
			}
		}
	})
	return t
}
