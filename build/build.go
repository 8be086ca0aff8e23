// Package build builds a corpus from raw pages by one [Recipe]. It cleans, removes
// duplicates, tokenizes, indexes and exports. [Load] reads a recipe and [Run] builds.
//
// Each step calls package recipe, dedup or corpus. A step runs again only if its part of the
// recipe, its input or the program has changed. An interrupted step resumes. The report
// counts the text that each step removed.
package build

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"chaffinch/build/cluster"
	"chaffinch/build/recipe"
	"chaffinch/format/vertical"
	"chaffinch/input"
	"chaffinch/internal/disk"
	"chaffinch/internal/panics"
	"chaffinch/internal/settings"
	"chaffinch/internal/sorts"
	"chaffinch/page"
	"chaffinch/pipeline"
)

// StateName is the name of the file that [ReadState] reads.
const StateName = "build.json"

// Names that a build reserves in its folder.
const (
	stepsFolder = "steps"
	reportName  = "report.html"
	lockName    = ".lock"
	errorsName  = "errors.txt"
)

// Config configures the build of a recipe. Of the Job, Out is the folder of the corpus, and Inputs,
// if set, replace the inputs of the recipe. Force runs all steps again. A build always resumes, and
// uses neither standard input nor standard output: Resume, Stdin and Stdout have no effect. Memory
// is at least [MinMemory].
type Config struct {
	pipeline.Job
	Recipe *Recipe
	// Pieces are pieces of files that are read instead of the inputs. Default: nil, the inputs.
	Pieces []input.Piece
	// Version is the version of the program. Results of another version are built again.
	Version string
	// Disk bounds the size of Out, in bytes. Default: no bound.
	Disk int64
	// Until is the last step to run. Default: all steps.
	Until string

	// OnStep, if not nil, is called for each step before it runs, and for each step that is
	// already done.
	OnStep func(PlannedStep)
	// OnHTML, if not nil, is called like [input.Config.OnHTML].
	OnHTML func(field string)

	// stored indicates that only the stored results are read, not the inputs.
	stored bool
	// sample is the number of bytes of pages to read; 0 reads all.
	sample int64
	// share is the share of the input in a sample; 0 reads all.
	share float64
}

// PlannedStep describes a step of a build and whether it has to run.
type PlannedStep struct {
	// Number is the position of the step, from 1 to Steps.
	Number, Steps int
	Name          string
	// Does describes the step in a few words.
	Does string
	// Done indicates that the step is up to date. Otherwise Why holds the reason to run it.
	Done   bool
	Reason string
	// Resumes indicates that the step resumes after an interruption.
	Resumes bool
}

// ErrBusy is returned if another build is running in the folder.
var ErrBusy = errors.New("another build is at work in it: wait for its end, or name another folder")

// StepError reports a failed step.
type StepError struct {
	Step string
	Err  error
}

// Error returns the name of the step and the error.
func (e *StepError) Error() string { return fmt.Sprintf("step %s: %v", e.Step, e.Err) }

// Unwrap returns the underlying error.
func (e *StepError) Unwrap() error { return e.Err }

// Result is the outcome of a build.
type Result struct {
	// Steps are all requested steps. Did is the number of steps that ran.
	Steps []PlannedStep
	Ran   int
	// Problems lists input that steps could not process.
	Problems []Problem
	// Warnings describes documents that a step judged without data of their language.
	Warnings []string
	// Removed lists the results of steps that are no longer in the recipe; they were removed.
	Removed []string
	// Report is the file name of the report.
	Report string
}

// Problem describes N items that a step could not process.
type Problem struct {
	Step string `json:"step"`
	N    int64  `json:"number"`
	What string `json:"what"`
}

// Run builds a recipe. It also writes the report if a step fails.
func Run(ctx context.Context, cfg Config) (res *Result, err error) {
	b, err := open(cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if cfg.Force {
		if err := b.startOver(); err != nil {
			return nil, err
		}
	}
	if err := b.keepRecipe(); err != nil {
		return nil, err
	}
	res = &Result{Report: filepath.Join(cfg.Out, reportName)}
	failed := b.steps.each(func(s *step) error { return b.do(ctx, s, res) })
	for _, s := range b.steps {
		if e := b.ledger.entry(s.name); e != nil {
			res.Problems = append(res.Problems, e.problems()...)
			res.Warnings = append(res.Warnings, e.warnings()...)
		}
	}
	if none := b.emptied(); errors.Is(failed, vertical.ErrNoTokens) && none != "" {
		failed = fmt.Errorf("%w; %s", failed, none)
	} else if failed == nil && none != "" {
		res.Warnings = append(res.Warnings, none)
	}
	if failed == nil {
		failed = b.prune(res)
	}
	if e := b.writeReport(); failed == nil {
		failed = e
	}
	return res, failed
}

// emptied describes the step that dropped all pages, or returns "".
func (b *builder) emptied() string {
	for _, s := range b.steps {
		e := b.ledger.entry(s.name)
		if e == nil || e.Flow == nil || e.Flow.Kept.Pages > 0 {
			continue
		}
		pages := map[string]int64{}
		for name, a := range e.Flow.Reasons {
			pages[name] = a.Pages
		}
		var why []string
		for _, name := range sorts.ByValue(pages) {
			why = append(why, fmt.Sprintf("%s %d", name, pages[name]))
		}
		if len(why) == 0 {
			return s.name + " read no pages: the input holds none"
		}
		text := fmt.Sprintf("%s dropped all pages: %s", s.name, strings.Join(why, ", "))
		if langs := b.Recipe.Clean.Langs; len(langs) > 0 && s.reads == nil {
			text += "; the recipe retains the languages " + strings.Join(langs, ", ")
		}
		return text
	}
	return ""
}

// Look returns the steps of [Run], without running any.
func Look(cfg Config) ([]PlannedStep, error) {
	b, err := prepare(cfg)
	if err != nil {
		return nil, err
	}
	if b.ledger, err = readLedger(cfg.Out); err != nil {
		return nil, err
	}
	var list []PlannedStep
	anew := cfg.Force
	for i, s := range b.steps {
		st := b.planned(i)
		switch {
		case anew && cfg.Force:
			st.Reason = "it was asked for"
		case anew:
			st.Reason = "its input is written again and may change"
		default:
			if st.Reason, st.Resumes, err = b.reason(s); err != nil {
				return nil, err
			}
			st.Done = st.Reason == ""
		}
		anew = anew || !st.Done && s.text
		list = append(list, st)
	}
	return list, nil
}

// builder is the state of a running build.
type builder struct {
	Config
	steps  steps
	ledger *ledger
	lock   *disk.File
	pace   pace
	heart  *heart            // of the running step
	hashed map[string]string // hashes of files named in settings, by name and state

	words   sampling // without a first step in the ledger
	counted *step    // last step counted in this process
	next    *tally   // counts of the next step, holding its input
}

// prepare creates the steps of a build.
func prepare(cfg Config) (*builder, error) {
	if cfg.Out == "" {
		return nil, &settings.FieldError{Field: "out", Err: errors.New("no folder, wanted one for the corpus")}
	}
	if st, err := os.Stat(cfg.Out); err == nil && !st.IsDir() {
		return nil, &settings.FieldError{Field: "out", Err: fmt.Errorf("%s is a file, wanted a folder", cfg.Out)}
	}
	if cluster.HasPlan(cfg.Out) {
		return nil, &settings.FieldError{Field: "out", Err: fmt.Errorf("%s holds shards of ranks: resume as one of these ranks, or name another folder", cfg.Out)}
	}
	if err := cfg.SetDefaults(); err != nil {
		return nil, err
	}
	if cfg.Memory < MinMemory {
		return nil, &settings.FieldError{Field: "memory", Err: fmt.Errorf("%d bytes, wanted at least %d MiB", cfg.Memory, MinMemory>>20)}
	}
	if err := cfg.checkInputs(); err != nil {
		return nil, err
	}
	if err := cfg.exclude(); err != nil {
		return nil, err
	}
	b := &builder{Config: cfg, steps: stepsOf(cfg.Recipe), hashed: map[string]string{}}
	if cfg.Until == "" {
		return b, nil
	}
	names := b.steps.names()
	i := slices.Index(names, cfg.Until)
	if i < 0 {
		err := fmt.Errorf("%q is not a step of this recipe: wanted one of %s", cfg.Until, strings.Join(names, ", "))
		return nil, &settings.FieldError{Field: "until", Err: nearest(err, cfg.Until, names)}
	}
	b.steps = b.steps[:i+1]
	return b, nil
}

// MinMemory is the smallest allowed memory of a build, in bytes.
const MinMemory = 128 << 20

// open creates the folder and locks it for this build.
func open(cfg Config) (*builder, error) {
	b, err := prepare(cfg)
	if err != nil {
		return nil, err
	}
	if err := disk.MkdirAll(filepath.Join(cfg.Out, stepsFolder)); err != nil {
		return nil, err
	}
	if b.lock, err = lockFolder(cfg.Out); err != nil {
		return nil, err
	}
	if b.ledger, err = readLedger(cfg.Out); err != nil {
		b.lock.Close()
		return nil, err
	}
	if tell := b.OnError; tell != nil {
		b.OnError = func(e *page.Error) {
			if !errors.Is(e, page.ErrEmpty) || !isIn(e.File, b.path(stepsFolder)) { // the step before kept nothing
				tell(e)
			}
		}
	}
	return b, nil
}

func (b *builder) close() error { return b.lock.Close() }

// sampling returns the pages whose words are counted.
func (b *builder) sampling() sampling {
	if e := b.ledger.entry(cleanStepName); e != nil {
		return e.Sampling
	}
	return b.words
}

// planned returns the number, the name and the description of the i-th step.
func (b *builder) planned(i int) PlannedStep {
	return PlannedStep{Number: i + 1, Steps: len(b.steps), Name: b.steps[i].name, Does: b.steps[i].does}
}

// startOver removes the results of all steps.
func (b *builder) startOver() error {
	for _, s := range b.steps {
		if err := b.clear(s.name); err != nil {
			return err
		}
	}
	return nil
}

// clear removes the outputs of a step. Other files are kept.
func (b *builder) clear(name string) error {
	e := b.ledger.entry(name)
	if e == nil {
		return disk.RemoveAll(b.path(stepsFolder, name))
	}
	for _, o := range e.Outputs {
		for _, ending := range append([]string{""}, recipe.Besides...) {
			if err := disk.RemoveAll(b.path(o.Path) + ending); err != nil {
				return err
			}
		}
	}
	if err := disk.RemoveAll(b.path(stepsFolder, name)); err != nil {
		return err
	}
	b.ledger.remove(name)
	return b.ledger.save()
}

// prune removes the outputs of steps that are no longer in the recipe. It does nothing if
// Until is set.
func (b *builder) prune(res *Result) error {
	if b.Until != "" {
		return nil
	}
	names := b.steps.names()
	for _, e := range slices.Clone(b.ledger.Steps) {
		if !slices.Contains(names, e.Name) {
			for _, o := range e.Outputs {
				if !strings.HasPrefix(o.Path, stepsFolder+"/") {
					res.Removed = append(res.Removed, o.Path)
				}
			}
			if err := b.clear(e.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// errorList returns the file in the folder of a build that lists unreadable input.
func errorList(dir string) string { return filepath.Join(dir, stepsFolder, "clean", errorsName) }

// path joins parts to the folder of the build.
func (b *builder) path(parts ...string) string {
	return filepath.Join(append([]string{b.Out}, parts...)...)
}

// reason returns the reason to run a step, or "" if it is up to date, and reports whether the
// step resumes.
func (b *builder) reason(s *step) (why string, resumes bool, err error) {
	want, err := b.mark(s)
	if err != nil {
		return "", false, err
	}
	e := b.ledger.entry(s.name)
	switch {
	case e == nil:
		return "not done yet", false, nil
	case e.Mark.Program != want.Program:
		return fmt.Sprintf("the program was %s, it is %s", e.Mark.Program, want.Program), false, nil
	case e.Mark.Recipe != want.Recipe:
		return "its part of the recipe has changed", false, nil
	case changedFile(e.Mark.Files, want.Files) != "":
		return fmt.Sprintf("the file %s has changed", changedFile(e.Mark.Files, want.Files)), false, nil
	case e.Mark.Input != want.Input:
		return "its input has changed", false, nil
	case !e.Done:
		return "it was interrupted", true, nil
	}
	for i := range e.Outputs {
		why, err := e.Outputs[i].changed(b.Out)
		if why != "" || err != nil {
			return why, false, err
		}
	}
	return "", false, nil
}

// do runs a step unless it is up to date.
func (b *builder) do(ctx context.Context, s *step, res *Result) error {
	st := b.planned(len(res.Steps))
	why, resumes, err := b.reason(s)
	if err != nil {
		return &StepError{s.name, err}
	}
	st.Done, st.Reason, st.Resumes = why == "", why, resumes
	res.Steps = append(res.Steps, st)
	if b.OnStep != nil {
		b.OnStep(st)
	}
	if st.Done {
		return nil
	}
	res.Ran++
	b.pace.begin(b, st)
	e, err := b.begin(s, resumes)
	if err != nil {
		return &StepError{s.name, err}
	}
	b.heart = newHeart(b, st)
	defer b.heart.end()
	m := newMeter(b.Out, b.Disk, b.sample > 0)
	mctx := m.start(ctx)
	err = panics.Catch(func() error { return b.work(mctx, s, e, resumes) })
	if cause := context.Cause(mctx); cause != nil && ctx.Err() == nil {
		err = cause // exceeded disk budget
	}
	e.Cost.add(m.stop())
	if err != nil {
		e.Error = err.Error()
		if ctx.Err() != nil {
			e.Error = "interrupted"
		}
		return errors.Join(&StepError{s.name, err}, b.ledger.save())
	}
	e.Done, e.Error = true, ""
	return b.ledger.save()
}

// begin records the start of a step. It fails if an output exists that this build has not
// written.
func (b *builder) begin(s *step, resumes bool) (*entry, error) {
	if resumes {
		e := b.ledger.entry(s.name)
		e.Error = ""
		return e, nil
	}
	mine := b.ledger.entry(s.name)
	for _, out := range s.outputs {
		if mine != nil && slices.ContainsFunc(mine.Outputs, func(o output) bool { return o.Path == out }) || strings.HasPrefix(out, stepsFolder) {
			continue
		}
		if _, err := os.Lstat(b.path(out)); err == nil {
			return nil, fmt.Errorf("%s is there, and this build has not made it: remove it, or name another one", b.path(out))
		}
	}
	if err := b.clear(s.name); err != nil {
		return nil, err
	}
	if err := disk.MkdirAll(b.path(stepsFolder, s.name)); err != nil {
		return nil, err
	}
	mark, err := b.mark(s)
	if err != nil {
		return nil, err
	}
	e := &entry{Name: s.name, Does: s.does, Mark: mark}
	for _, out := range s.outputs {
		e.Outputs = append(e.Outputs, output{Path: out})
	}
	b.ledger.add(e)
	return e, b.ledger.save()
}

// work runs a step and records its outputs.
func (b *builder) work(ctx context.Context, s *step, e *entry, resumes bool) error {
	if err := s.do(ctx, &work{builder: b, step: s, entry: e, resume: resumes}); err != nil {
		return err
	}
	if s.text {
		start := time.Now()
		flow, err := b.tally(ctx, s)
		if err != nil {
			return err
		}
		e.Flow = flow
		e.Cost.Tally = time.Since(start).Seconds()
	}
	for i := range e.Outputs {
		if err := e.Outputs[i].look(ctx, b.Out); err != nil {
			return err
		}
	}
	return nil
}
