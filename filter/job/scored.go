package job

import (
	"context"
	"io"
	"slices"

	"chaffinch/input/records"
	"chaffinch/internal/workdir"
	"chaffinch/pipeline"
)

// EachScored calls fn for each document of the inputs, with its language, its scores and a function
// that lists its words. It writes no output. Package lab/train/limits learns limits from the
// scores.
func EachScored(ctx context.Context, cfg Config, fn func(lang string, scores []float64, words func(func(string)))) error {
	return each(ctx, cfg, func(judge *judge, d *records.Doc) {
		text, _ := judge.text(d)
		fn(text.Lang, judge.scorer.Score(text).Scores, judge.scorer.Words)
	})
}

// each calls fn for every document of the inputs without writing output.
func each(ctx context.Context, cfg Config, fn func(*judge, *records.Doc)) error {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return err
	}
	judge := &judge{cfg: &cfg, detect: detector, set: cfg.Set, scorer: cfg.Set.Scorer()}
	return judge.documents(ctx, cfg.Inputs, func(d *records.Doc) error {
		fn(judge, d)
		return nil
	})
}

// documents calls fn for every document of inputs.
func (j *judge) documents(ctx context.Context, inputs []string, fn func(*records.Doc) error) error {
	in := j.cfg.Input
	in.OnError = j.cfg.OnError
	if slices.Contains(inputs, "-") {
		work, err := workdir.Temp()
		if err != nil {
			return err
		}
		defer work.Close()
		if in.Stdin, err = records.Spool(j.cfg.Stdin, work.Path); err != nil {
			return err
		}
	}
	src, err := records.Open(inputs, in)
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
		done, total := src.Progress()
		j.cfg.Notify(pipeline.Status{Step: "read", Done: done, Total: total})
	}
	return ctx.Err()
}
