package lines

import (
	"context"
	"fmt"

	"chaffinch/clean"
	"chaffinch/lab/gold"
)

// Learner is the method as one that learns from pages with gold text: their
// blocks are lines, labelled by the gold (see [gold.FromPages]). It satisfies
// clean.Trainable. Config.Model is not read.
type Learner struct {
	Config
	TrainConfig
	// Docs are files of labelled lines (see [gold.ReadLineDocs]) that are
	// learned from beside the pages.
	Docs []string `json:"docs"`
	// PageWeight is how much a document made from a page counts beside one of
	// Docs.
	PageWeight float64 `json:"page_weight"`
	// Base is a model to adapt to the pages, with the settings of Adapt,
	// instead of training one: "embedded" or the path of a model file. What it was
	// trained on it has seen; Docs are not read.
	Base  string      `json:"base"`
	Adapt AdaptConfig `json:"adapt"`
	// Pages says how pages become lines.
	Pages gold.FromPagesConfig `json:"pages"`
}

// DefaultLearner trains as the embedded model was.
var DefaultLearner = Learner{Config: Default, TrainConfig: DefaultTrain, PageWeight: 1, Adapt: DefaultAdapt, Pages: gold.DefaultFromPages}

// Prepare labels the lines of the pages and reads the files.
func (l Learner) Prepare(ctx context.Context, items []*gold.Item, _ clean.Progress) (clean.Trainer, error) {
	t := trainer{Learner: l, pages: make([]*gold.LineDoc, len(items))}
	if !(l.PageWeight > 0) {
		return nil, fmt.Errorf("lines: page_weight %v: wanted above 0, such as 0.2", l.PageWeight)
	}
	for i, it := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if d, _ := l.Pages.Doc(it); d != nil {
			d.Weight = l.PageWeight
			t.pages[i] = d
		}
	}
	if l.Base != "" {
		var err error
		t.base, err = Load(l.Base)
		return t, err
	}
	for _, path := range l.Docs {
		docs, err := gold.ReadLineDocs(ctx, path)
		if err != nil {
			return nil, err
		}
		t.docs = append(t.docs, docs...)
	}
	return t, nil
}

// trainer is a Learner with all that can be learned from.
type trainer struct {
	Learner
	base        *Model // nil to train one
	docs, pages []*gold.LineDoc
}

// Train trains or adapts a model.
func (t trainer) Train(ctx context.Context, items []int, progress clean.Progress) (clean.Trained, error) {
	docs := t.docs[:len(t.docs):len(t.docs)]
	for _, i := range items {
		if d := t.pages[i]; d != nil {
			docs = append(docs, d)
		}
	}
	if t.base != nil {
		m, err := t.base.Adapt(ctx, t.Learner.Adapt, docs, progress)
		return learned{t.Config, m}, err
	}
	m, err := Train(ctx, t.TrainConfig, docs, nil, progress)
	return learned{t.Config, m}, err
}

type learned struct {
	cfg   Config
	model *Model
}

// Labeller returns the labeller; the policy makes no difference to it.
func (t learned) Labeller(string) (clean.Labeller, error) { return NewWith(t.model, t.cfg) }
