package recipe

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"chaffinch/build/stage"
	"chaffinch/extract/site"
	"chaffinch/input"
	"chaffinch/internal/files"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// sites is the first of two passes over the inputs. It counts text repeated on the pages of
// a site.
type sites struct {
	in    *input.Reader
	dir   string           // for temporary files, "" for the default of the system
	first []pipeline.Stage // stages before the sites stage
	stage *stage.Sites
	table *site.Table // nil until counted
}

// openSites opens the inputs for the first pass, if a stage needs it. Temporary files are
// written next to the output, where large files are expected.
func openSites(stages []pipeline.Stage, at RunOptions, cfg input.Config) (*sites, error) {
	i := slices.IndexFunc(stages, func(s pipeline.Stage) bool { _, ok := s.(*stage.Sites); return ok })
	if i < 0 {
		return nil, nil
	}
	for _, name := range at.Inputs {
		if name == "-" || files.Special(name) {
			return nil, setting("sites", "input %s can be read only once, wanted files, which are read twice: save it to a file, or do without sites", name)
		}
	}
	in, err := at.open(cfg)
	if err != nil {
		return nil, err
	}
	s := &sites{in: in, first: stages[:i], stage: stages[i].(*stage.Sites)}
	if at.ToFile() {
		s.dir = filepath.Dir(filepath.Clean(at.Out))
	}
	return s, nil
}

// counts reports whether the first pass is pending.
func (run *Run) counts() bool {
	return run.sites != nil && run.sites.table == nil && !run.chain.Start.Done
}

// count reads the inputs in a first pass. Input errors are reported by the second pass.
func (run *Run) count(ctx context.Context) (err error) {
	if !run.counts() {
		return nil
	}
	counter, err := site.NewCounter(site.Config{Dir: run.sites.dir})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, counter.Close()) }()
	chain := pipeline.Chain{
		Step: string(StepSites), Source: run.sites.in, Stages: append(slices.Clone(run.sites.first), counting{counter}),
		Outputs: []pipeline.Output{{Encoder: discard{}, Sink: discard{}}},
	}
	cfg := run.cfg
	cfg.OnError = nil
	if _, err := pipeline.Run(ctx, chain, cfg); err != nil {
		return err
	}
	if run.sites.table, err = counter.Table(); err != nil {
		return err
	}
	run.sites.stage.Know(func(p *page.Page) error { return run.sites.table.Mark(site.Of(p), p) })
	return nil
}

// close frees the table. It closes the inputs unless a call of them may never return.
func (s *sites) close(hangs bool) error {
	var errs []error
	if s.table != nil {
		errs = append(errs, s.table.Close())
	}
	if !hangs {
		errs = append(errs, s.in.Close())
	}
	return errors.Join(errs...)
}

// counting is the last stage of the first pass.
type counting struct{ *site.Counter }

func (counting) Name() string { return "count sites" }

func (c counting) Do(_ context.Context, p *page.Page) error {
	if p.PlainText() {
		return nil
	}
	return c.Add(site.Of(p), p)
}

// discard is the output of the first pass.
type discard struct{}

func (discard) Append(dst []byte, _ *page.Page) []byte { return dst }
func (discard) Put(*pipeline.Record) error             { return nil }
func (discard) Cut() (pipeline.Place, error)           { return pipeline.Place{}, nil }
func (discard) Sync() error                            { return nil }
func (discard) Publish() error                         { return nil }
func (discard) Close() error                           { return nil }
