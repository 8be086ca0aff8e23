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

// Job makes a corpus of files: a recipe runs over its inputs; then comes what
// needs the output as a whole. Begin with [NewJob].
type Job struct {
	Recipe *Recipe
	RunOptions
	// Pipeline says how the pages are worked on.
	Pipeline pipeline.Config
	// Dedup removes duplicates before the output appears; nil leaves them in.
	// Memory bounds what that holds, in bytes; 0 is [dedup.DefaultMemory].
	Dedup  dedup.Method
	Memory int64
	// Tokenizer finds the words of a vertical; nil leaves those of our own rules.
	Tokenizer *vertical.Tokenizer
	// Tagger adds columns to a vertical; nil adds none.
	Tagger *vertical.Tagger
	// Registry writes the files by which corpus managers index a vertical.
	Registry bool

	// OnStep is told of each step before it begins. nil is not told.
	OnStep func(Step)
	// OnPages is told of the pages when all are written. Until it returns nil the
	// run counts as unfinished, and a resumed one tells it again. nil is not told.
	OnPages func(*pipeline.Report) error
	// Progress is told of the work, from one goroutine at a time: what is done
	// and of how much, in bytes (-1 if not known). nil is not told.
	Progress func(what string, done, total int64)
}

// NewJob returns the job of a recipe with the usual use of the machine.
func NewJob(r *Recipe, at RunOptions) Job {
	return Job{Recipe: r, RunOptions: at, Pipeline: pipeline.Default}
}

// Step is a part of a [Job]: the next one begins when the one before is done.
type Step string

// The steps in their order.
const (
	StepSites    Step = "sites"    // what repeats on the pages of a site is counted
	StepPages    Step = "pages"    // the recipe runs over the inputs
	StepDedup    Step = "dedup"    // duplicates are removed
	StepTagger   Step = "tagger"   // words are found and columns added; those of standard output during StepPages
	StepRegistry Step = "registry" // files for corpus managers are written
)

// Report tells what a [Job] did. Parts that were not wanted, or that a run before
// had done, are nil.
type Report struct {
	// Step is the last step that began.
	Step Step
	// Resumable tells that a failed job can be gone on with by Resume. Part is where
	// the pages lie so far, if they are written at that time.
	Resumable bool
	Part      string
	Pages     *pipeline.Report
	// Read is how many bytes of the input files were read.
	Read      int64
	Dedup     *dedup.Report
	DedupTime time.Duration
	Tokenizer *vertical.TokenizerReport
	Tagger    *vertical.TaggerReport
	// Registry are the files for corpus managers.
	Registry []string
}

// Check tells whether what is wanted fits together.
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

// programs reports whether a vertical goes through programs of the user.
func (j *Job) programs() bool { return j.Tokenizer != nil || j.Tagger != nil }

// Make does a job. An error that wraps [pipeline.ErrComplete] tells that nothing was left to
// do. The report is there with an error too, as far as the job came.
func Make(ctx context.Context, j Job) (*Report, error) {
	rep := &Report{}
	if err := j.Check(); err != nil {
		return rep, err
	}
	if err := j.apart(); err != nil {
		return rep, err
	}
	err := j.make(ctx, rep)
	if errors.Is(err, pipeline.ErrComplete) && j.Registry && j.noRegistry() { // a run has ended between the two
		err = j.registry(ctx, rep)
	}
	return rep, err
}

// The output on its way: pages go to the first, text without duplicates that is
// still to be tagged to the second. The others keep what the tokenizer and the
// tagger have printed.
const (
	cleanSuffix   = ".clean"
	uniqueSuffix  = ".unique"
	wordsSuffix   = ".words"
	columnsSuffix = ".columns"
)

// Besides are the endings of what a run has beside its output on the way, and leaves there
// when it is interrupted.
var Besides = []string{
	".state", ".part", ".rows", cleanSuffix, cleanSuffix + ".state", cleanSuffix + ".part", uniqueSuffix, uniqueSuffix + ".part",
	workSuffix, wordsSuffix, columnsSuffix,
}

func (j *Job) make(ctx context.Context, rep *Report) error {
	pages, unique := j.Out, j.Out // where the steps write
	if j.programs() && j.Out != "" {
		pages, unique = j.Out+cleanSuffix, j.Out+uniqueSuffix
	}
	if j.Dedup != nil {
		pages = j.Out + cleanSuffix
	}
	if j.Dedup != nil && !j.Resume && !j.Force && exists(unique+workSuffix) {
		return fmt.Errorf("%s: %w", unique+workSuffix, pipeline.ErrUnfinished)
	}
	if j.Resume && pages != j.Out && !exists(pages) && !exists(pipeline.StateFile(pages)) { // no page is missing
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

// finish does what comes behind the text of a file.
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

// begin tells that a step begins.
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
		run.done = false // to be told again
	}
	if e := run.Close(); err == nil {
		err = e
	}
	return err
}

// sites counts what repeats on the pages of a site.
func (j *Job) sites(ctx context.Context, run *Run, rep *Report) error {
	j.begin(StepSites, rep)
	defer j.watch(StepSites, run.sites.in.Progress)()
	return run.count(ctx, j.Pipeline)
}

// watch tells of the progress of a step until stop is called.
func (j *Job) watch(step Step, progress func() (done, total int64)) (stop func()) {
	if j.Progress == nil {
		return func() {}
	}
	base, total := progress() // a resumed run begins with what it has read before
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
