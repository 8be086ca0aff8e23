package train

import (
	"context"
	"fmt"

	"chaffinch/clean"
	"chaffinch/clean/lines"
	"chaffinch/lab/gold"
	trainlines "chaffinch/lab/train/lines"
)

// Lines trains the method lines on pages with gold text: their blocks are lines, labelled by the
// gold (see [gold.FromPages]). Config.Model is ignored.
type Lines struct {
	lines.Config
	trainlines.TrainConfig
	// Docs lists files of labelled lines (see [gold.ReadLineDocs]) that are used for training in
	// addition to the pages.
	Docs []string `json:"docs"`
	// PageWeight is the weight of a document made from a page relative to a document of Docs.
	PageWeight float64 `json:"page_weight"`
	// Base is a model to adapt to the pages with Adapt instead of training a new one: "embedded" or
	// the path of a model file. Its training data are not excluded from evaluation. Docs are
	// ignored.
	Base  string                 `json:"base"`
	Adapt trainlines.AdaptConfig `json:"adapt"`
	// Pages configures the conversion of pages to lines.
	Pages gold.FromPagesConfig `json:"pages"`
}

// defaultLines is the configuration of the embedded model.
var defaultLines = Lines{Config: lines.Default, TrainConfig: trainlines.DefaultTrain, PageWeight: 1, Adapt: trainlines.DefaultAdapt, Pages: gold.DefaultFromPages}

// Prepare labels the lines of the pages and reads the files.
func (l Lines) Prepare(ctx context.Context, items []*gold.Item, _ func(step string, done, total int)) (Trainer, error) {
	t := linesTrainer{Lines: l, pages: make([]*trainlines.Gold, len(items))}
	if !(l.PageWeight > 0) {
		return nil, fmt.Errorf("lines: page_weight %v: wanted above 0, such as 0.2", l.PageWeight)
	}
	for i, it := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if d, _ := l.Pages.Doc(it); d != nil {
			d.Weight = l.PageWeight
			t.pages[i] = lineGold(d)
		}
	}
	if l.Base != "" {
		var err error
		t.base, err = lines.Load(l.Base)
		return t, err
	}
	for _, path := range l.Docs {
		docs, err := gold.ReadLineDocs(ctx, path)
		if err != nil {
			return nil, err
		}
		t.docs = append(t.docs, LineGolds(docs)...)
	}
	return t, nil
}

// lineGold converts a document of labelled lines for [trainlines.Train].
func lineGold(d *gold.LineDoc) *trainlines.Gold {
	return &trainlines.Gold{ID: d.ID, Lang: d.Lang, Lines: d.Lines, Labels: d.Labels, Weight: d.Weight}
}

// LineGolds converts documents of labelled lines for [trainlines.Train].
func LineGolds(docs []*gold.LineDoc) []*trainlines.Gold {
	out := make([]*trainlines.Gold, len(docs))
	for i, d := range docs {
		out[i] = lineGold(d)
	}
	return out
}

// linesTrainer is a Lines with its training data.
type linesTrainer struct {
	Lines
	base        *lines.Model // nil to train one
	docs, pages []*trainlines.Gold
}

// Train trains or adapts a model.
func (t linesTrainer) Train(ctx context.Context, items []int, progress func(step string, done, total int)) (Trained, error) {
	docs := t.docs[:len(t.docs):len(t.docs)]
	for _, i := range items {
		if d := t.pages[i]; d != nil {
			docs = append(docs, d)
		}
	}
	if t.base != nil {
		m, err := trainlines.Adapt(ctx, t.Lines.Adapt, t.base, docs, progress)
		return trainedLines{t.Config, m}, err
	}
	m, err := trainlines.Train(ctx, t.TrainConfig, docs, nil, progress)
	return trainedLines{t.Config, m}, err
}

type trainedLines struct {
	cfg   lines.Config
	model *lines.Model
}

// Labeller returns the labeller, which is the same for all policies.
func (t trainedLines) Labeller(string) (clean.Labeller, error) { return lines.NewWith(t.model, t.cfg) }
