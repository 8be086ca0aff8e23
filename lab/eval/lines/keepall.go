package lines

import (
	"context"

	"chaffinch/lab/gold"
)

// KeepAll labels every line as text: a baseline.
type KeepAll struct{}

// Name returns "keep".
func (KeepAll) Name() string { return "keep" }

// Train returns the scorer without training.
func (KeepAll) Train(context.Context, []*gold.LineDoc, []*gold.LineDoc, uint64, func(step string, done, total int)) (Scorer, error) {
	return KeepAll{}.Scorer()
}

// Scorer returns a scorer that keeps every line.
func (KeepAll) Scorer() (Scorer, error) {
	return func(d *gold.LineDoc) ([]float32, error) {
		scores := make([]float32, len(d.Lines))
		for i := range scores {
			scores[i] = 1
		}
		return scores, nil
	}, nil
}

// Cards returns nil: there is no model.
func (KeepAll) Cards() [][]byte { return nil }

func (KeepAll) learnsNothing() {}
