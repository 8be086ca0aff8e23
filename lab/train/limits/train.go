package limits

import (
	"context"

	"chaffinch/filter"
	"chaffinch/filter/job"
)

// TrainFrom learns limits of rules for each language from collections of good text. It uses the
// fields Inputs, Stdin, OnError, OnProgress, Input and Lang of c.
func TrainFrom(ctx context.Context, cfg Config, rules filter.Config, c job.Config) (filter.Config, []Learned, error) {
	limits, err := New(cfg, rules)
	if err != nil {
		return filter.Config{}, nil, err
	}
	c.Set = limits.Set()
	if err := job.EachScored(ctx, c, limits.Add); err != nil {
		return filter.Config{}, nil, err
	}
	learned, told := limits.Learn()
	return learned, told, nil
}
