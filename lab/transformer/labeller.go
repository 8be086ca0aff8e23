package transformer

import (
	"context"
	"fmt"

	"chaffinch/clean"
	"chaffinch/page"
)

// Scorer returns the probabilities of text of the lines of documents; cache is as in
// [Encoder.DocVectors]. [Model] and [LineClassifier] implement it.
type Scorer interface {
	ScoreDocs(ctx context.Context, docs [][]string, cache string) ([][]float32, error)
}

// Batcher is a clean.Labeller that can label several pages at once, for methods that are efficient
// with many lines.
type Batcher interface {
	clean.Labeller
	// LabelPages returns the verdicts of each page like Label.
	LabelPages(ctx context.Context, pages []*page.Page) ([][]page.Verdict, error)
}

// Labeller labels the blocks of pages, each as one line, with a [Scorer]. It implements
// [clean.Labeller] and [Batcher].
type Labeller struct {
	scorer    Scorer
	threshold float64
}

var _ Batcher = (*Labeller)(nil)

// NewLabeller returns a labeller that keeps lines with at least the probability threshold, above 0
// and below 1.
func NewLabeller(s Scorer, threshold float64) (*Labeller, error) {
	if !(threshold > 0 && threshold < 1) {
		return nil, fmt.Errorf("threshold %v, wanted a probability above 0 and below 1", threshold)
	}
	return &Labeller{s, threshold}, nil
}

const name = "transformer/1"

// Name returns the name of the method and its behaviour version.
func (l *Labeller) Name() string { return name }

// IgnoresLang reports whether the method ignores the language of a page: it does.
func (l *Labeller) IgnoresLang() bool { return true }

// Label labels the blocks of p. The score is the probability of text.
func (l *Labeller) Label(ctx context.Context, p *page.Page) ([]page.Verdict, error) {
	all, err := l.LabelPages(ctx, []*page.Page{p})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// LabelPages labels the blocks of several pages.
func (l *Labeller) LabelPages(ctx context.Context, pages []*page.Page) ([][]page.Verdict, error) {
	docs := make([][]string, len(pages))
	for i, p := range pages {
		for j := range p.Blocks {
			docs[i] = append(docs[i], p.Blocks[j].Text)
		}
	}
	scores, err := l.scorer.ScoreDocs(ctx, docs, "")
	if err != nil {
		return nil, err
	}
	out := make([][]page.Verdict, len(pages))
	for i, s := range scores {
		for _, p := range s {
			v := page.Verdict{By: name, Label: page.Bad, Score: float64(p), Reason: fmt.Sprintf("text %.2f < %.2f", p, l.threshold)}
			if float64(p) >= l.threshold {
				v.Label, v.Reason = page.Good, fmt.Sprintf("text %.2f ≥ %.2f", p, l.threshold)
			}
			out[i] = append(out[i], v)
		}
	}
	return out, nil
}

// Threshold returns the minimum probability of kept lines. It implements clean.Scored.
func (l *Labeller) Threshold([]page.Verdict) clean.Threshold {
	return clean.Threshold{Name: "threshold", Help: "probability that the line is text: kept from", Value: l.threshold}
}

// ByScore reports whether the verdict on the line is from this method.
func (l *Labeller) ByScore(_ *page.Page, _ int, v *page.Verdict) bool { return v.By == name }
