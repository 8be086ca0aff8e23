package recipe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"chaffinch/dedup"
	"chaffinch/format/vertical"
	"chaffinch/pipeline"
)

// Job builds a corpus: a recipe runs on its inputs, then later steps process the whole
// output. Use [NewJob] to create one.
type Job struct {
	Recipe *Recipe
	RunOptions
	// Pipeline configures the processing of pages.
	Pipeline pipeline.Config
	// Dedup removes duplicates before the output is published. Default: nil, keep
	// duplicates. Memory bounds the memory of this step, in bytes. Default:
	// [dedup.DefaultMemory].
	Dedup  dedup.Method
	Memory int64
	// Tokenizer tokenizes a vertical. Default: nil, the built-in rules.
	Tokenizer *vertical.Tokenizer
	// Tagger adds columns to a vertical. Default: nil, no tagger.
	Tagger *vertical.Tagger
	// Registry writes the registry files with which corpus managers index a vertical.
	Registry bool

	// OnStep, if not nil, is called before each step.
	OnStep func(Step)
	// OnPages, if not nil, is called with the report when all pages are written. Until it
	// returns nil, the run is unfinished, and a resumed run calls it again.
	OnPages func(*pipeline.Report) error
	// Progress, if not nil, is called with the progress of a step, from one goroutine at a
	// time. total is -1 if it is not known; both are in bytes.
	Progress func(what string, done, total int64)
}

// NewJob returns the job of a recipe with the default pipeline.
func NewJob(r *Recipe, at RunOptions) Job {
	return Job{Recipe: r, RunOptions: at, Pipeline: pipeline.Default}
}

// Step is a part of a [Job]. Steps run one after another.
type Step string

// The steps in order.
const (
	StepSites    Step = "sites"    // count text repeated on the pages of a site
	StepPages    Step = "pages"    // run the recipe on the inputs
	StepDedup    Step = "dedup"    // remove duplicates
	StepTagger   Step = "tagger"   // tokenize and tag; for standard output this runs during StepPages
	StepRegistry Step = "registry" // write registry files
)

// Report is the outcome of a [Job]. The fields of steps that were not requested, or that an
// earlier run completed, are nil.
type Report struct {
	// Step is the last step that was started.
	Step Step
	// Resumable indicates that a failed job can be resumed. Part is the location of the
	// pages written so far, if they are written at that time.
	Resumable bool
	Part      string
	Pages     *pipeline.Report
	// Read is the number of bytes read from the input files.
	Read      int64
	Dedup     *dedup.Report
	DedupTime time.Duration
	Tokenizer *vertical.TokenizerReport
	Tagger    *vertical.TaggerReport
	// Registry lists the registry files.
	Registry []string
}

// Check returns an error if settings of the job conflict.
func (j *Job) Check() error {
	format, toFile := j.Recipe.Output.Format, j.Out != "" && !j.isFolder()
	if j.Dedup != nil {
		if err := j.checkDedup(format, toFile); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name   string
		wanted bool
	}{{"tokenizer", j.Tokenizer != nil}, {"tagger", j.Tagger != nil}, {"registry", j.Registry}} {
		switch {
		case !part.wanted:
		case format != "vertical":
			return setting(part.name, "format %s, wanted vertical, which has tokens", format)
		case j.isFolder():
			return setting(part.name, "output %s is a folder, wanted one vertical in a file", j.Out)
		}
	}
	if j.Registry && !toFile {
		return setting("registry", "standard output, wanted a vertical in a file")
	}
	if toFile {
		if err := checkOutput(format, j.Out); err != nil {
			return err
		}
	}
	for i, name := range j.Aside[:min(len(j.Aside), len(j.Recipe.Output.Aside))] {
		if err := checkOutput(j.Recipe.Output.Aside[i].Format, name); err != nil {
			return err
		}
	}
	if j.Tagger == nil {
		return nil
	}
	return j.Tagger.Check()
}

// programs reports whether the vertical is processed by external programs.
func (j *Job) programs() bool { return j.Tokenizer != nil || j.Tagger != nil }

// Make runs a job. The error wraps [pipeline.ErrComplete] if the job was already complete.
// The report is returned even with an error.
func Make(ctx context.Context, j Job) (*Report, error) {
	rep := &Report{}
	if err := j.Check(); err != nil {
		return rep, err
	}
	if err := j.apart(); err != nil {
		return rep, err
	}
	err := j.make(ctx, rep)
	if errors.Is(err, pipeline.ErrComplete) && j.Registry && j.noRegistry() { // an earlier run ended before the registry was written
		err = j.registry(ctx, rep)
	}
	return rep, err
}

// Suffixes of intermediate outputs: pages, and text without duplicates that is not tagged
// yet. The others hold the output of the tokenizer and the tagger.
const (
	cleanSuffix   = ".clean"
	uniqueSuffix  = ".unique"
	wordsSuffix   = ".words"
	columnsSuffix = ".columns"
)

// Besides lists the suffixes of intermediate files, which an interrupted run leaves next to
// its output.
var Besides = []string{
	".state", ".part", ".rows", cleanSuffix, cleanSuffix + ".state", cleanSuffix + ".part", uniqueSuffix, uniqueSuffix + ".part",
	workSuffix, wordsSuffix, columnsSuffix,
}

func (j *Job) make(ctx context.Context, rep *Report) error {
	pages, unique := j.Out, j.Out // outputs of the steps
	if j.programs() && j.Out != "" {
		pages, unique = j.Out+cleanSuffix, j.Out+uniqueSuffix
	}
	if j.Dedup != nil {
		pages = j.Out + cleanSuffix
	}
	if j.Dedup != nil && !j.Resume && !j.Force && exists(unique+workSuffix) {
		return fmt.Errorf("%s: %w", unique+workSuffix, pipeline.ErrUnfinished)
	}
	if j.Resume && pages != j.Out && !exists(pages) && !exists(pipeline.StateFile(pages)) { // all pages are written
		if unique != j.Out && exists(unique) {
			return j.finish(ctx, unique, rep)
		}
		if exists(j.Out) {
			return cmp.Or(j.forget(), pipeline.ErrComplete)
		}
	}
	if err := j.pages(ctx, pages, rep); err != nil && (pages == j.Out || !errors.Is(err, pipeline.ErrComplete)) {
		return err
	}
	if j.Dedup == nil {
		return j.finish(ctx, pages, rep)
	}
	if err := j.dedup(ctx, pages, unique, rep); err != nil {
		return err
	}
	return j.finish(ctx, unique, rep)
}

// finish runs the steps that process the text of a file.
func (j *Job) finish(ctx context.Context, from string, rep *Report) error {
	if j.programs() && j.Out != "" {
		if err := j.tag(ctx, from, rep); err != nil {
			return err
		}
	}
	if j.Registry {
		return j.registry(ctx, rep)
	}
	return nil
}

// begin records and reports the start of a step.
func (j *Job) begin(s Step, rep *Report) {
	rep.Step = s
	if j.OnStep != nil {
		j.OnStep(s)
	}
}

// pages runs the recipe.
func (j *Job) pages(ctx context.Context, out string, rep *Report) (err error) {
	at := j.RunOptions
	at.Out, at.Workers = out, cmp.Or(at.Workers, j.Pipeline.Workers)
	var s *tagStream
	if j.programs() && out == "" {
		s = newTagStream()
		at.Stdout = s.in
	}
	j.begin(StepPages, rep)
	run, err := Open(j.Recipe, at)
	if err != nil {
		return err
	}
	rep.Resumable, rep.Part = run.CanResume(), run.Part()
	if run.counts() {
		if err := j.sites(ctx, run, rep); err != nil {
			return errors.Join(err, run.Close())
		}
		j.begin(StepPages, rep)
	}
	if s != nil {
		s.start(j)
		defer func() { err = s.end(ctx, err, rep) }()
	}
	stop := j.watch(StepPages, run.Progress)
	rep.Pages, err = run.Do(ctx, j.Pipeline)
	stop()
	rep.Read, _ = run.Progress()
	if err == nil && j.OnPages != nil {
		err = j.OnPages(rep.Pages)
	}
	if err != nil {
		run.done = false // a resumed run calls OnPages again
	}
	if e := run.Close(); err == nil {
		err = e
	}
	return err
}

// sites counts text repeated on the pages of a site.
func (j *Job) sites(ctx context.Context, run *Run, rep *Report) error {
	j.begin(StepSites, rep)
	defer j.watch(StepSites, run.sites.in.Progress)()
	return run.count(ctx, j.Pipeline)
}

// watch reports the progress of a step until stop is called.
func (j *Job) watch(step Step, progress func() (done, total int64)) (stop func()) {
	if j.Progress == nil {
		return func() {}
	}
	base, total := progress() // a resumed run starts at its earlier position
	tick := time.NewTicker(200 * time.Millisecond)
	quit, gone := make(chan struct{}), make(chan struct{})
	j.Progress(string(step), base, total)
	go func() {
		defer close(gone)
		for {
			select {
			case <-tick.C:
				done, _ := progress()
				j.Progress(string(step), done, total)
			case <-quit:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(quit)
		<-gone
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
