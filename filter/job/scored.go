package job

import (
	"context"
	"io"
	"slices"

	"chaffinch/input/records"
	"chaffinch/internal/workdir"
)

// EachScored calls fn for each document of a job, with its language, its scores and a function
// that lists its words. It writes no output. Package lab/train/limits learns limits from the
// scores.
func EachScored(ctx context.Context, j Job, fn func(lang string, scores []float64, words func(func(string)))) error {
	return each(ctx, j, func(judge *judge, d *records.Doc) {
		text, _ := judge.text(d)
		fn(text.Lang, judge.scorer.Score(text).Scores, judge.scorer.Words)
	})
}

// each calls fn for every document of a job without writing output.
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

// documents calls fn for every document of inputs.
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
