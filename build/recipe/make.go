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

// MakeOptions configures [Make]: a recipe runs on its inputs, then later steps process the whole
// output.
type MakeOptions struct {
	Recipe *Recipe
	RunOptions
	// Dedup removes duplicates before the output is published. Default: nil, keep duplicates.
	Dedup dedup.Method
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
}

// Step is a part of [Make]. Steps run one after another.
type Step string

// The steps in order.
const (
	StepSites    Step = "sites"    // count text repeated on the pages of a site
	StepPages    Step = "pages"    // run the recipe on the inputs
	StepDedup    Step = "dedup"    // remove duplicates
	StepTagger   Step = "tagger"   // tokenize and tag; for standard output this runs during StepPages
	StepRegistry Step = "registry" // write registry files
)

// Result is the outcome of [Make]. The fields of steps that were not requested, or that an
// earlier run completed, are nil.
type Result struct {
	// Step is the last step that was started.
	Step Step
	// Resumable indicates that a failed run can be resumed. Part is the location of the
	// pages written so far, if they are written at that time.
	Resumable bool
	Part      string
	Pages     *pipeline.Report
	// MissingFields lists the selected fields that the format lacks and no page had. It is
	// empty after a resumed run.
	MissingFields []string
	// Read is the number of bytes read from the input files.
	Read      int64
	Dedup     *dedup.Result
	DedupTime time.Duration
	Tokenizer *vertical.TokenizerReport
	Tagger    *vertical.TaggerReport
	// Registry lists the registry files.
	Registry []string
}

// Check returns an error if settings conflict.
func (o *MakeOptions) Check() error {
	format, toFile := o.Recipe.Output.Format, o.Out != "" && !o.isFolder()
	if o.Dedup != nil {
		if err := o.checkDedup(format, toFile); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		name   string
		wanted bool
	}{{"tokenizer", o.Tokenizer != nil}, {"tagger", o.Tagger != nil}, {"registry", o.Registry}} {
		switch {
		case !part.wanted:
		case format != "vertical":
			return setting(part.name, "format %s, wanted vertical, which has tokens", format)
		case o.isFolder():
			return setting(part.name, "output %s is a folder, wanted one vertical in a file", o.Out)
		}
	}
	if o.Registry && !toFile {
		return setting("registry", "standard output, wanted a vertical in a file")
	}
	if toFile {
		if err := checkOutput(format, o.Out); err != nil {
			return err
		}
	}
	for i, name := range o.Aside[:min(len(o.Aside), len(o.Recipe.Output.Aside))] {
		if err := checkOutput(o.Recipe.Output.Aside[i].Format, name); err != nil {
			return err
		}
	}
	if o.Recipe.Output.Tag && o.programs() {
		return setting("tag", "a program tokenizes or tags the vertical: leave out tag, or the program")
	}
	if o.Tagger == nil {
		return nil
	}
	return o.Tagger.Check()
}

// programs reports whether the vertical is processed by external programs.
func (o *MakeOptions) programs() bool { return o.Tokenizer != nil || o.Tagger != nil }

// Make runs a recipe and the later steps. The error wraps [pipeline.ErrComplete] if the output
// was already complete. The result is returned even with an error.
func Make(ctx context.Context, o MakeOptions) (*Result, error) {
	res := &Result{}
	if err := o.Check(); err != nil {
		return res, err
	}
	if err := o.apart(); err != nil {
		return res, err
	}
	err := o.make(ctx, res)
	if errors.Is(err, pipeline.ErrComplete) && o.Registry && o.noRegistry() { // an earlier run ended before the registry was written
		err = o.registry(ctx, res)
	}
	return res, err
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

func (o *MakeOptions) make(ctx context.Context, res *Result) error {
	pages, unique := o.Out, o.Out // outputs of the steps
	if o.programs() && o.Out != "" {
		pages, unique = o.Out+cleanSuffix, o.Out+uniqueSuffix
	}
	if o.Dedup != nil {
		pages = o.Out + cleanSuffix
	}
	if o.Dedup != nil && !o.Resume && !o.Force && exists(unique+workSuffix) {
		return fmt.Errorf("%s: %w", unique+workSuffix, pipeline.ErrUnfinished)
	}
	if o.Resume && pages != o.Out && !exists(pages) && !exists(pipeline.StateFile(pages)) { // all pages are written
		if unique != o.Out && exists(unique) {
			return o.finish(ctx, unique, res)
		}
		if exists(o.Out) {
			return cmp.Or(o.forget(), pipeline.ErrComplete)
		}
	}
	if err := o.pages(ctx, pages, res); err != nil && (pages == o.Out || !errors.Is(err, pipeline.ErrComplete)) {
		return err
	}
	if o.Dedup == nil {
		return o.finish(ctx, pages, res)
	}
	if err := o.dedup(ctx, pages, unique, res); err != nil {
		return err
	}
	return o.finish(ctx, unique, res)
}

// finish runs the steps that process the text of a file.
func (o *MakeOptions) finish(ctx context.Context, from string, res *Result) error {
	if o.programs() && o.Out != "" {
		if err := o.tag(ctx, from, res); err != nil {
			return err
		}
	}
	if o.Registry {
		return o.registry(ctx, res)
	}
	return nil
}

// begin records and reports the start of a step.
func (o *MakeOptions) begin(s Step, res *Result) {
	res.Step = s
	if o.OnStep != nil {
		o.OnStep(s)
	}
}

// pages runs the recipe.
func (o *MakeOptions) pages(ctx context.Context, out string, res *Result) (err error) {
	at := o.RunOptions
	at.Out = out
	var s *tagStream
	if o.programs() && out == "" {
		s = newTagStream()
		at.Stdout = s.in
	}
	o.begin(StepPages, res)
	run, err := Open(o.Recipe, at)
	if err != nil {
		return err
	}
	res.Resumable, res.Part = run.CanResume(), run.Part()
	if run.counts() {
		o.begin(StepSites, res)
		if err := run.count(ctx); err != nil {
			return errors.Join(err, run.Close())
		}
		o.begin(StepPages, res)
	}
	if s != nil {
		s.start(o)
		defer func() { err = s.end(ctx, err, res) }()
	}
	res.Pages, err = run.Do(ctx)
	res.Read, _ = run.Progress()
	if in, ok := run.chain.Source.(*source); ok && err == nil {
		res.MissingFields = in.unseen
	}
	if err == nil && o.OnPages != nil {
		err = o.OnPages(res.Pages)
	}
	if err != nil {
		run.done = false // a resumed run calls OnPages again
	}
	if e := run.Close(); err == nil {
		err = e
	}
	return err
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
