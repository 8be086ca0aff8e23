package limits

import (
	"context"

	"chaffinch/filter"
	"chaffinch/filter/job"
)

// TrainFrom learns limits of rules for each language from collections of good text. It uses the
// fields Inputs, Input, Stdin, Lang and Progress of j.
func TrainFrom(ctx context.Context, cfg Config, rules filter.Config, j job.Job) (filter.Config, []Learned, error) {
	limits, err := New(cfg, rules)
	if err != nil {
		return filter.Config{}, nil, err
	}
	j.Set = limits.Set()
	if err := job.EachScored(ctx, j, limits.Add); err != nil {
		return filter.Config{}, nil, err
	}
	learned, told := limits.Learn()
	return learned, told, nil
}
