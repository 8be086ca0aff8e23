package lines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"chaffinch/clean"
	"chaffinch/internal/boost"
	"chaffinch/internal/boost/trees"
	"chaffinch/internal/parallel"
	"chaffinch/internal/recurrent"
	"chaffinch/internal/recurrent/nets"
)

// TrainConfig says how a model is trained.
type TrainConfig struct {
	// Shape is that of the recurrent networks; the width of the input is
	// filled in. Rows of a table of embeddings, if there are any, should be a
	// power of two; ids are hashes below 1<<18.
	Shape NetShape `json:"shape"`
	// Net is their training, Nets their number, each of another seed; 0 for
	// none. Training ends early by the development part, if there is one.
	Net  NetConfig `json:"net"`
	Nets int       `json:"nets"`
	// NGrams is the training of the regressions over n-grams.
	NGrams NGramConfig `json:"ngrams"`
	// Folds is the number of parts of the documents: the regressions score the
	// lines of each part without having seen it, so that what comes after them
	// learns what their scores are worth.
	Folds int `json:"folds"`
	// Trees is the forest, Forests the number of forests of different seeds of
	// which it is the mean, 0 for none. Reach is how many lines before and
	// after a line the trees see, Bins the number of values that they tell
	// apart in a column, Mix the share of the forest in the log odds.
	Trees   clean.TreeConfig `json:"trees"`
	Forests int              `json:"forests"`
	Reach   int              `json:"reach"`
	Bins    int              `json:"bins"`
	Mix     float64          `json:"mix"`
	// Balance evens out how much the languages count: with n documents, a line
	// of one weighs n to the power of -Balance. LineBalance does the same for
	// documents of n lines.
	Balance     float64 `json:"balance"`
	LineBalance float64 `json:"line_balance"`
	// Without leaves groups of columns out (see [ColumnGroups]) or n-grams
	// ("ngrams"): for ablations.
	Without []string `json:"without,omitempty"`
	// Workers is the number of goroutines, 0 for one per processor. It does
	// not change the model.
	Workers int `json:"-"`
}

// DefaultTrain makes the embedded model.
var DefaultTrain = TrainConfig{
	Shape:  NetShape{Project: 24, Cell: "gru", Hidden: 16, Layers: 1, Skip: true},
	Net:    NetConfig(nets.Default),
	Nets:   3,
	NGrams: NGramConfig{Epochs: 4, Rate: .3, Decay: 1e-4},
	Folds:  5,
	Trees:  clean.TreeConfig{Trees: 200, Depth: 5, Rate: .08, Lambda: 10, MinWeight: 1, ColSample: .2, RowSample: .5, Seed: 1},
	Bins:   48, Reach: 3, Forests: 1, Mix: .5,
	Balance: .5, LineBalance: .3,
}

// Check tells what is wrong with the settings.
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

// withoutNGrams leaves the regressions out.
const withoutNGrams = "ngrams"

// Gold holds the labelled lines of a document.
type Gold struct {
	// ID names the document in messages.
	ID string
	// Lang is the language (BCP 47), "" if not known.
	Lang  string
	Lines []string
	// Labels has one entry for each line: true = text, false = boilerplate.
	Labels []bool
	// Weight is how much the document counts, 0 for 1.
	Weight float64
}

// example is a document to learn from.
type example struct {
	sheet  sheet
	rows   []float32 // as Model.appendRows makes them, then standardised
	target []float32
	weight []float32
	ids    []uint32
	ends   []int32
}

// sequence is x as a network takes it.
func (x *example) sequence() *nets.Example {
	return &nets.Example{Sequence: recurrent.Sequence{N: x.sheet.n, Dense: x.rows, IDs: x.ids, Ends: x.ends}, Target: x.target, Weight: x.weight}
}

// Train trains a model on the documents of train; the networks keep the epoch
// that is best on those of dev, which may be empty. The same documents and
// configuration always make the same model. progress may be nil.
func Train(ctx context.Context, cfg TrainConfig, train, dev []*Gold, progress clean.Progress) (*Model, error) {
	if progress == nil {
		progress = func(string, int, int) {}
	}
	m := &Model{threshold: .5, mix: float32(cfg.Mix)}
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
		m.eachRows(examples, cfg.Workers, func(int) (a, b *ngrams) { return nil, nil })
		m.eachRows(held, cfg.Workers, func(int) (a, b *ngrams) { return nil, nil })
	}
	m.fitStandard(examples, held)
	if err := m.fitNets(ctx, examples, held, cfg, progress); err != nil {
		return nil, err
	}
	if err := m.fitForest(ctx, examples, cfg, progress); err != nil {
		return nil, err
	}
	m.prepare()
	return m, nil
}

// choose settles what the model looks at.
func (m *Model) choose(cfg *TrainConfig) error {
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
	if m.columns, err = keptColumns(without); err != nil {
		return err
	}
	if len(m.columns) == 0 && cfg.NGrams.Epochs <= 0 {
		return errors.New("lines: nothing to learn from: all groups of columns and the n-grams are left out")
	}
	if cfg.Nets == 0 {
		m.mix = 1
	} else if cfg.Forests == 0 {
		m.mix = 0
	}
	return cfg.Check()
}

// readDocs measures documents and weighs them.
func readDocs(ctx context.Context, docs []*Gold, cfg TrainConfig, progress clean.Progress) ([]*example, error) {
	of := map[string]float64{} // weight of the documents of a language
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
		x := &example{}
		read(&x.sheet, d.Lang, d.Lines)
		weight := float32(weightOf(d) * math.Pow(typicalDocs/of[d.Lang], cfg.Balance) * math.Pow(typicalLines/float64(len(d.Lines)), cfg.LineBalance))
		for _, text := range d.Labels {
			x.target = append(x.target, flag(text))
			x.weight = append(x.weight, weight)
		}
		if cfg.Shape.Dim > 0 {
			s := scratch{sheet: x.sheet}
			s.fillIDs()
			x.ids, x.ends = s.ids, s.ends
		}
		out[i] = x
		progress("read", int(done.Add(1)), len(used))
	})
	return out, ctx.Err()
}

// weightOf is how much a document counts.
func weightOf(d *Gold) float64 { return cmp.Or(d.Weight, 1) }

// Documents of a language and lines of a document that weigh 1 each.
const (
	typicalDocs  = 100
	typicalLines = 40
)

// fitNGrams trains the regressions, from those that m has if any, and fills the
// rows of the examples, each with scores of regressions that have not seen it.
func (m *Model) fitNGrams(ctx context.Context, examples, held []*example, cfg TrainConfig, progress clean.Progress) error {
	words, chars := make([]*ngrams, cfg.Folds+1), make([]*ngrams, cfg.Folds+1)
	var done atomic.Int64
	parallel.Each(cfg.Workers, 2*(cfg.Folds+1), func(i int) {
		if ctx.Err() != nil {
			return
		}
		f, to, ids, from := i/2, words, (*sheet).wordIDs, m.words
		if i%2 == 1 {
			to, ids, from = chars, (*sheet).charIDs, m.chars
		}
		to[f] = fitNGrams(samples(examples, func(k int) bool { return k%cfg.Folds != f }, ids), cfg.NGrams, cfg.Net.Seed, from)
		progress("n-grams", int(done.Add(1)), 2*(cfg.Folds+1))
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	first := m.words == nil
	m.words, m.chars = words[cfg.Folds], chars[cfg.Folds]
	m.learnScripts(examples)
	m.eachRows(examples, cfg.Workers, func(k int) (a, b *ngrams) { return words[k%cfg.Folds], chars[k%cfg.Folds] })
	if first { // a few more documents do not tell what is usual
		m.learnUsual(examples, cfg.Workers)
	}
	m.eachRows(held, cfg.Workers, func(int) (a, b *ngrams) { return m.words, m.chars })
	return nil
}

// samples lists the lines of the examples that in chooses.
func samples(examples []*example, in func(k int) bool, ids func(s *sheet, i int) []uint32) (out []sample) {
	for k, x := range examples {
		if !in(k) {
			continue
		}
		for i, y := range x.target {
			out = append(out, sample{ids(&x.sheet, i), y, x.weight[i]})
		}
	}
	return out
}

// eachRows fills the rows of the examples with the scores of the regressions
// that by gives for each.
func (m *Model) eachRows(examples []*example, workers int, by func(k int) (words, chars *ngrams)) {
	parallel.Each(workers, len(examples), func(k int) {
		x := examples[k]
		words, chars := by(k)
		var running []float64
		x.rows = m.appendRows(nil, &x.sheet, words, chars, &running)
	})
}

// fitStandard brings the rows to the same scale.
func (m *Model) fitStandard(examples, held []*example) {
	var rows [][]float32
	for _, x := range examples {
		rows = append(rows, x.rows)
	}
	m.standard = fitStandard(rows, m.width())
	m.scale(examples)
	m.scale(held)
}

// scale brings the rows of examples to the scale of m.
func (m *Model) scale(examples []*example) {
	for _, x := range examples {
		m.standard.apply(x.rows)
		m.neutralise(x.rows, &x.sheet, nil)
	}
}

// fitNets trains the networks.
func (m *Model) fitNets(ctx context.Context, examples, held []*example, cfg TrainConfig, progress clean.Progress) error {
	var train, dev []*nets.Example
	for _, x := range examples {
		train = append(train, x.sequence())
	}
	for _, x := range held {
		dev = append(dev, x.sequence())
	}
	shape := cfg.Shape.shape()
	shape.Dense = m.width()
	for k := range cfg.Nets {
		one := cfg.Net
		one.Seed += uint64(k)
		one.Workers = cfg.Workers
		n, err := nets.New(shape, one.Seed)
		if err != nil {
			return err
		}
		if err := nets.Train(ctx, nets.Config(one), n, train, dev, func(e nets.Epoch) {
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
func (m *Model) fitForest(ctx context.Context, examples []*example, cfg TrainConfig, progress clean.Progress) error {
	if cfg.Forests == 0 {
		return nil
	}
	t := m.table(examples, cfg)
	features := cfg.features(m.width())
	forests := make([]*boost.Forest, cfg.Forests)
	for k := range forests {
		one := cfg.Trees
		one.Seed += uint64(k)
		one.Workers = cfg.Workers
		var err error
		forests[k], err = trees.Train(ctx, trees.Config(one), t.matrix, features, t.target, t.weight, nil, func(done, total int) {
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

// table is what a forest learns from: the lines of all documents as rows, with
// empty rows of weight 0 between documents.
type table struct {
	matrix         *boost.Matrix
	target, weight []float32
}

// table finds the cuts of the columns, if there are none yet, and bins the
// rows of the examples.
func (m *Model) table(examples []*example, cfg TrainConfig) *table {
	starts := make([]int, len(examples))
	n := boost.Pad
	for i, x := range examples {
		starts[i] = n
		n += x.sheet.n + boost.Pad
	}
	width := m.width()
	t := &table{boost.NewMatrix(n, width), make([]float32, n), make([]float32, n)}
	for i, x := range examples {
		copy(t.target[starts[i]:], x.target)
		copy(t.weight[starts[i]:], x.weight)
	}
	find := m.cuts == nil
	if find {
		m.cuts = make([][]float32, width)
	}
	parallel.Each(cfg.Workers, width, func(c int) {
		if find {
			var values []float32
			for _, x := range examples {
				for k := c; k < len(x.rows); k += width {
					values = append(values, x.rows[k])
				}
			}
			m.cuts[c] = trees.Cuts(values, nil, cfg.Bins)
		}
		col := t.matrix.Cols[c][boost.Pad:]
		for i, x := range examples {
			for k := range x.sheet.n {
				col[starts[i]+k] = boost.Bin(x.rows[k*width+c], m.cuts[c])
			}
		}
	})
	return t
}
