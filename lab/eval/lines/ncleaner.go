package lines

import (
	"context"
	"math"

	"chaffinch/clean"
	"chaffinch/clean/ncleaner"
	"chaffinch/lab/gold"
	trainncleaner "chaffinch/lab/train/ncleaner"
	"chaffinch/page"
)

// NCleaner is NCleaner in text mode with each line as a segment: a pair of character models,
// estimated from the text lines and from all others.
type NCleaner struct {
	ncleaner.ModelConfig
}

// defaultNCleaner has symbols for frequent letters of all scripts.
var defaultNCleaner = NCleaner{ncleaner.ModelConfig{N: 3, Q: 0.5, Unicode: true, MinRune: 10}}

// Name returns "ncleaner".
func (NCleaner) Name() string { return "ncleaner" }

// Train estimates the models deterministically.
func (c NCleaner) Train(_ context.Context, train, dev []*gold.LineDoc, _ uint64, _ func(step string, done, total int)) (Scorer, error) {
	var examples []trainncleaner.Example
	for _, docs := range [][]*gold.LineDoc{train, dev} {
		for _, d := range docs {
			x := trainncleaner.Example{Page: linePage(d)}
			for i, line := range d.Lines {
				if d.Labels[i] {
					x.Clean = append(x.Clean, line)
				}
			}
			examples = append(examples, x)
		}
	}
	t, err := trainncleaner.NewTrainer(c.ModelConfig, examples)
	if err != nil {
		return nil, err
	}
	m, err := t.Model()
	if err != nil {
		return nil, err
	}
	return lineScorer(ncleaner.WithModel(ncleaner.Default, m)), nil
}

// Scorer returns the labeller with the embedded models.
func (NCleaner) Scorer() (Scorer, error) {
	l, err := ncleaner.New(ncleaner.Default)
	if err != nil {
		return nil, err
	}
	return lineScorer(l), nil
}

// Cards returns the cards of the embedded models.
func (NCleaner) Cards() (cards [][]byte) {
	l, err := ncleaner.New(ncleaner.Default)
	if err != nil {
		return nil
	}
	for _, c := range l.Cards() {
		cards = append(cards, c)
	}
	return cards
}

// linePage returns a document as a page with a block for each line.
func linePage(d *gold.LineDoc) *page.Page {
	p := &page.Page{ID: d.ID, Lang: d.Lang, Blocks: make([]page.Block, len(d.Lines))}
	for i, line := range d.Lines {
		p.Blocks[i] = page.Block{Text: line, Kind: page.Paragraph}
	}
	return p
}

// lineScorer returns a scorer of a labeller of pages. Its score becomes a probability by the
// logistic function, which keeps its decision at .5.
func lineScorer(l clean.Labeller) Scorer {
	return func(d *gold.LineDoc) ([]float32, error) {
		verdicts, err := l.Label(context.Background(), linePage(d))
		if err != nil {
			return nil, err
		}
		out := make([]float32, len(verdicts))
		for i, v := range verdicts {
			p := 1 / (1 + math.Exp(-v.Score))
			if v.Label == page.Good {
				out[i] = float32(max(p, threshold))
			} else {
				out[i] = min(float32(p), math.Nextafter32(threshold, 0))
			}
		}
		return out, nil
	}
}
