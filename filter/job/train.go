package job

import (
	"context"
	"io"
	"slices"

	"chaffinch/filter"
	"chaffinch/input/records"
	"chaffinch/internal/workdir"
)

// TrainLimits learns limits of rules for each language from documents of good text:
// see [filter.Limits]. Of j, Inputs, Input, Stdin, Lang and Progress count.
func TrainLimits(ctx context.Context, cfg filter.LimitsConfig, rules filter.Config, j Job) (filter.Config, []filter.Learned, error) {
	fail := func(err error) (filter.Config, []filter.Learned, error) { return filter.Config{}, nil, err }
	limits, err := filter.NewLimits(rules, cfg)
	if err != nil {
		return fail(err)
	}
	j.Set = limits.Set()
	err = each(ctx, j, func(judge *judge, d *records.Doc) {
		text, _ := judge.text(d)
		r := judge.scorer.Score(text)
		limits.Add(text.Lang, r.Scores, judge.scorer.Words)
	})
	if err != nil {
		return fail(err)
	}
	learned, told := limits.Learn()
	return learned, told, nil
}

// each calls fn for every document of a job that writes none.
func each(ctx context.Context, j Job, fn func(*judge, *records.Doc)) error {
	j, err := j.withDefaults()
	if err != nil {
		return err
	}
	judge := &judge{job: &j, detect: detector, set: j.Set, scorer: j.Set.Scorer()}
	return judge.documents(ctx, j.Inputs, func(d *records.Doc) error {
		fn(judge, d)
		return nil
	})
}

// documents calls fn for every document of inputs that the job reads.
func (j *judge) documents(ctx context.Context, inputs []string, fn func(*records.Doc) error) error {
	cfg := j.job.Input
	if slices.Contains(inputs, "-") {
		work, err := workdir.Temp()
		if err != nil {
			return err
		}
		defer work.Close()
		if cfg.Stdin, err = records.Spool(j.job.Stdin, work.Path); err != nil {
			return err
		}
	}
	src, err := records.Open(inputs, cfg)
	if err != nil {
		return err
	}
	defer src.Close()
	for ctx.Err() == nil {
		d, err := src.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := fn(d); err != nil {
			return err
		}
		src.Release(d)
		j.job.Progress(src.Progress())
	}
	return ctx.Err()
}
