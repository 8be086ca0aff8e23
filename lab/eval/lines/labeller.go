package lines

import (
	"context"
	"math"
	"slices"

	"chaffinch/clean/lines"
	"chaffinch/lab/gold"
	learn "chaffinch/lab/train"
	trainlines "chaffinch/lab/train/lines"
)

// Labeller is the line labeller, [lines.Model]. It implements Ready, Adaptable and Ablatable.
type Labeller struct {
	// Path is the path of the pretrained model. Default: the embedded model.
	Path  string
	Learn trainlines.TrainConfig
	More  trainlines.AdaptConfig
	// name is the name of a variant.
	name string
}

// newLabeller returns the line labeller with the settings of the embedded model. Each training uses
// one core, since several run at once.
func newLabeller(o SystemOptions) Labeller {
	l := Labeller{Path: o.Model, Learn: trainlines.DefaultTrain, More: trainlines.DefaultAdapt}
	l.Learn.Without = o.Without
	l.Learn.Workers, l.More.Workers = 1, 1
	return l
}

// newFast returns the line labeller without networks, like the model "fast".
func newFast(o SystemOptions) Labeller {
	l := newLabeller(o)
	l.Path, l.Learn.Nets, l.name = lines.FastName, 0, "lines-fast"
	return l
}

// Name returns "lines", or the name of the variant.
func (l Labeller) Name() string {
	if l.name != "" {
		return l.name
	}
	return "lines"
}

// Train trains a model.
func (l Labeller) Train(ctx context.Context, train, dev []*gold.LineDoc, seed uint64, progress func(step string, done, total int)) (Scorer, error) {
	m, err := l.train(ctx, train, dev, seed, progress)
	if err != nil {
		return nil, err
	}
	return scorerOf(m), nil
}

func (l Labeller) train(ctx context.Context, train, dev []*gold.LineDoc, seed uint64, progress func(step string, done, total int)) (*lines.Model, error) {
	cfg := l.Learn
	cfg.Net.Seed, cfg.Trees.Seed = seed, seed
	return trainlines.Train(ctx, cfg, learn.LineGolds(train), learn.LineGolds(dev), progress)
}

// scorerOf returns a scorer of a model. The threshold of the model becomes .5 by shifting the log
// odds.
func scorerOf(m *lines.Model) Scorer {
	shift := math.Log(m.Threshold() / (1 - m.Threshold()))
	return func(d *gold.LineDoc) ([]float32, error) {
		scores := m.Score(nil, d.Lang, d.Lines)
		if shift == 0 {
			return scores, nil
		}
		for i, p := range scores {
			text := float64(p) >= m.Threshold()
			q := float32(1 / (1 + float64((1-float64(p))/float64(p)*math.Exp(shift))))
			if text {
				scores[i] = max(q, threshold)
			} else {
				scores[i] = min(q, math.Nextafter32(threshold, 0))
			}
		}
		return scores, nil
	}
}

// Scorer returns the model at Path.
func (l Labeller) Scorer() (Scorer, error) {
	m, err := lines.Load(l.Path)
	if err != nil {
		return nil, err
	}
	return scorerOf(m), nil
}

// Cards returns the card of the model.
func (l Labeller) Cards() [][]byte {
	m, err := lines.Load(l.Path)
	if err != nil {
		return nil
	}
	return [][]byte{m.Card()}
}

// Prepare trains a model for adaptation.
func (l Labeller) Prepare(ctx context.Context, train, dev []*gold.LineDoc, seed uint64, progress func(step string, done, total int)) (Base, error) {
	m, err := l.train(ctx, train, dev, seed, progress)
	return labellerBase{l.More, m}, err
}

// labellerBase is a model with the configuration of its adaptation.
type labellerBase struct {
	cfg trainlines.AdaptConfig
	m   *lines.Model
}

// leastAdapt is the minimum number of documents for adaptation.
const leastAdapt = 2

// Adapt adapts the model. With fewer than two documents it returns the model unchanged.
func (b labellerBase) Adapt(ctx context.Context, docs []*gold.LineDoc, seed uint64) (Scorer, error) {
	if len(docs) < leastAdapt {
		return scorerOf(b.m), nil
	}
	cfg := b.cfg
	cfg.Net.Seed = seed
	m, err := trainlines.Adapt(ctx, cfg, b.m, learn.LineGolds(docs), nil)
	if err != nil {
		return nil, err
	}
	return scorerOf(m), nil
}

// Groups returns the names of the groups of columns, and n-grams, that it is trained with.
func (l Labeller) Groups() []string {
	return slices.DeleteFunc(Groups(), func(g string) bool { return slices.Contains(l.Learn.Without, g) })
}

// Without returns the labeller trained without some groups.
func (l Labeller) Without(groups []string, name string) System {
	l.Learn.Without = append(append([]string(nil), l.Learn.Without...), groups...)
	l.name = name
	return l
}

// Groups returns the names of the groups that the line labeller can be trained without: the groups
// of its columns, and its n-grams.
func Groups() (names []string) {
	for _, g := range lines.ColumnGroups() {
		names = append(names, g.Name)
	}
	return append(names, "ngrams")
}
