package lines

import (
	"context"

	"chaffinch/lab/gold"
)

// Keep labels every line as text: a baseline.
type Keep struct{}

// Name returns "keep".
func (Keep) Name() string { return "keep" }

// Train returns the scorer without training.
func (Keep) Train(context.Context, []*gold.LineDoc, []*gold.LineDoc, uint64, func(step string, done, total int)) (Scorer, error) {
	return Keep{}.Scorer()
}

// Scorer returns a scorer that keeps every line.
func (Keep) Scorer() (Scorer, error) {
	return func(d *gold.LineDoc) ([]float32, error) {
		scores := make([]float32, len(d.Lines))
		for i := range scores {
			scores[i] = 1
		}
		return scores, nil
	}, nil
}

// Cards returns nil: there is no model.
func (Keep) Cards() [][]byte { return nil }

func (Keep) learnsNothing() {}
