// Package build builds a corpus from raw pages by one [Recipe]: it cleans, removes
// duplicates, tokenizes, indexes and exports, each in a step that calls packages recipe,
// dedup and corpus. A step runs once, and again only when its part of the recipe, its input
// or the program has changed; an interrupted step resumes. The report counts the text that
// each step removed. [Load] reads a recipe, [Run] builds.
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
	"chaffinch/dedup"
	"chaffinch/input"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/panics"
	"chaffinch/internal/settings"
	"chaffinch/page"
)

// What a build keeps in its folder beside the outputs.
const (
	stepsFolder = "steps"
	ledgerName  = "build.json"
	reportName  = "report.html"
	lockName    = ".lock"
	errorsName  = "errors.txt"
)

// Job is a recipe that is to be built in a folder.
type Job struct {
	Recipe *Recipe
	// Pieces are pieces of files that are read in place of the inputs of the recipe, nil
	// for none.
	Pieces []input.Piece
	// Dir is the folder of the corpus.
	Dir string
	// Version is that of the program: what another one has made is made anew.
	Version string
	// Jobs is the number of workers, 0 for one for each processor. The result does
	// not depend on it.
	Jobs int
	// Memory bounds what the steps hold, in bytes; 0 is [dedup.DefaultMemory].
	Memory int64
	// Disk bounds the bytes in Dir, 0 for no bound.
	Disk int64
	// Force does all steps anew.
	Force bool
	// Until is the last step that is done, "" for all.
	Until string

	// OnStep is told of each step before it begins, and of those that are done
	// already. nil is not told.
	OnStep func(Status)
	// OnError is told of each piece of input that cannot be read, and of sentences
	// that tokenizer or tagger fail on. nil is not told.
	OnError func(*page.Error)
	// OnHTML is [input.Config.OnHTML]; nil is not called.
	OnHTML func(field string)
	// Progress is told of the work of a step, from one goroutine at a time. nil is not
	// told.
	Progress func(Progress)

	// sample is the number of bytes of pages that are read, 0 for all.
	sample int64
}

// Status tells where a build stands with a step.
type Status struct {
	// Number is that of the step, from 1, of Steps.
	Number, Steps int
	Name          string
	// Does says in a few words what it does.
	Does string
	// Done tells that there is nothing to do; else Why says why there is.
	Done bool
	Why  string
	// Resumes tells that the step goes on where it was interrupted.
	Resumes bool
}

// ErrBusy is returned where another build is at work in the folder.
var ErrBusy = errors.New("another build is at work in it: wait for its end, or name another folder")

// StepError tells which step has failed.
type StepError struct {
	Step string
	Err  error
}

// Error names the step.
func (e *StepError) Error() string { return fmt.Sprintf("step %s: %v", e.Step, e.Err) }

// Unwrap returns what is wrong.
func (e *StepError) Unwrap() error { return e.Err }

// Result tells what a build did.
type Result struct {
	// Steps are all steps up to the last that is wanted. Did is the number of those
	// that were done this time.
	Steps []Status
	Did   int
	// Problems are what steps could not do to all of their input.
	Problems []Problem
	// Report is the file of the report.
	Report string
}

// Problem is what a step could not do to N things.
type Problem struct {
	Step string `json:"step"`
	N    int64  `json:"number"`
	What string `json:"what"`
}

// Run builds a recipe. The report is written also where a step fails.
func Run(ctx context.Context, job Job) (res *Result, err error) {
	b, err := open(job)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if job.Force {
		if err := b.startOver(); err != nil {
			return nil, err
		}
	}
	res = &Result{Report: filepath.Join(job.Dir, reportName)}
	failed := b.steps.each(func(s *step) error { return b.do(ctx, s, res) })
	for _, s := range b.steps {
		if e := b.ledger.entry(s.name); e != nil {
			res.Problems = append(res.Problems, e.problems()...)
		}
	}
	if failed == nil {
		failed = b.forget()
	}
	if e := b.writeReport(); failed == nil {
		failed = e
	}
	return res, failed
}

// Look tells what [Run] would do, and does nothing.
func Look(job Job) ([]Status, error) {
	b, err := prepare(job)
	if err != nil {
		return nil, err
	}
	if b.ledger, err = readLedger(job.Dir); err != nil {
		return nil, err
	}
	var list []Status
	anew := job.Force
	for i, s := range b.steps {
		st := b.status(i)
		switch {
		case anew && job.Force:
			st.Why = "it was asked for"
		case anew:
			st.Why = "what it reads is made anew, if that changes it"
		default:
			if st.Why, st.Resumes, err = b.why(s); err != nil {
				return nil, err
			}
			st.Done = st.Why == ""
		}
		anew = anew || !st.Done && s.text
		list = append(list, st)
	}
	return list, nil
}

// builder is a job at work.
type builder struct {
	Job
	steps  steps
	ledger *ledger
	lock   *disk.File
	pace   pace
	heart  *heart            // of the step at work
	hashed map[string]string // files that settings name, by name and state

	counted *step  // the last one that was counted in this process
	next    *tally // of the step behind it, with what comes to it
}

// prepare makes the steps of a job.
func prepare(job Job) (*builder, error) {
	if job.Dir == "" {
		return nil, &settings.FieldError{Field: "out", Err: errors.New("no folder, wanted one for the corpus")}
	}
	if st, err := os.Stat(job.Dir); err == nil && !st.IsDir() {
		return nil, &settings.FieldError{Field: "out", Err: fmt.Errorf("%s is a file, wanted a folder", job.Dir)}
	}
	if _, err := os.Stat(filepath.Join(job.Dir, cluster.PlanName)); err == nil {
		return nil, &settings.FieldError{Field: "out", Err: fmt.Errorf("%s holds shards that ranks have made: go on with ranks, or name another folder", job.Dir)}
	}
	if job.Memory == 0 {
		job.Memory = dedup.DefaultMemory()
	}
	if job.Memory < MinMemory {
		return nil, &settings.FieldError{Field: "memory", Err: fmt.Errorf("%d bytes, wanted at least %d MiB", job.Memory, MinMemory>>20)}
	}
	if err := job.checkInputs(); err != nil {
		return nil, err
	}
	b := &builder{Job: job, steps: stepsOf(job.Recipe), hashed: map[string]string{}}
	if job.Until == "" {
		return b, nil
	}
	names := b.steps.names()
	i := slices.Index(names, job.Until)
	if i < 0 {
		err := fmt.Errorf("step %q is none of this recipe: it has %s", job.Until, strings.Join(names, ", "))
		return nil, &settings.FieldError{Field: "until", Err: nearest(err, job.Until, names)}
	}
	b.steps = b.steps[:i+1]
	return b, nil
}

// MinMemory is the least memory that a build takes.
const MinMemory = 128 << 20

// checkInputs tells what is wrong with the inputs before any work.
func (j *Job) checkInputs() error {
	in := j.Recipe.Inputs
	if j.Pieces != nil {
		return nil
	}
	if len(in) == 0 {
		return errors.New("no input: name files or folders, or write them into the recipe as inputs")
	}
	var places []files.Place
	for _, name := range in {
		if name == "-" {
			return errors.New("standard input cannot be read again: save it as a file and name that")
		}
		if _, err := os.Stat(name); err != nil {
			return fmt.Errorf("input %s: %w", name, files.Cause(err))
		}
		places = append(places, files.Place{What: "the input", Path: name})
	}
	out := []files.Place{{What: "the folder of the corpus", Path: j.Dir}}
	if err := files.Apart(places, out); err != nil {
		return err
	}
	for _, p := range places {
		if files.Within(p.Path, j.Dir) {
			return fmt.Errorf("the input %s lies in the folder %s of the corpus: wanted another folder", p.Path, j.Dir)
		}
	}
	return files.Outside(places, out)
}

// open makes the folder and takes it for this build alone.
func open(job Job) (*builder, error) {
	b, err := prepare(job)
	if err != nil {
		return nil, err
	}
	if err := disk.MkdirAll(filepath.Join(job.Dir, stepsFolder)); err != nil {
		return nil, err
	}
	if b.lock, err = lockFolder(job.Dir); err != nil {
		return nil, err
	}
	if b.ledger, err = readLedger(job.Dir); err != nil {
		b.lock.Close()
		return nil, err
	}
	return b, nil
}

func (b *builder) close() error { return b.lock.Close() }

// status is that of the i-th step, without what is to be done.
func (b *builder) status(i int) Status {
	return Status{Number: i + 1, Steps: len(b.steps), Name: b.steps[i].name, Does: b.steps[i].does}
}

// startOver forgets all that was done.
func (b *builder) startOver() error {
	for _, s := range b.steps {
		if err := b.clear(s.name); err != nil {
			return err
		}
	}
	return nil
}

// clear removes what a step has made. Files that no step has made stay.
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

// forget removes what steps have made on the way that the recipe has no more.
func (b *builder) forget() error {
	if b.Until != "" {
		return nil
	}
	names := b.steps.names()
	for _, e := range slices.Clone(b.ledger.Steps) {
		if !slices.Contains(names, e.Name) {
			if err := b.clear(e.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// errorList is the file that lists the input which could not be read, in the
// folder of a build.
func errorList(dir string) string { return filepath.Join(dir, stepsFolder, "clean", errorsName) }

// path returns where something of the build lies.
func (b *builder) path(parts ...string) string {
	return filepath.Join(append([]string{b.Dir}, parts...)...)
}

// why tells why a step is to be done, "" if it is not, and whether it goes on.
func (b *builder) why(s *step) (why string, resumes bool, err error) {
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
		return "what it reads has changed", false, nil
	case !e.Done:
		return "it was interrupted", true, nil
	}
	for i := range e.Outputs {
		why, err := e.Outputs[i].changed(b.Dir)
		if why != "" || err != nil {
			return why, false, err
		}
	}
	return "", false, nil
}

// do does a step, unless it is done.
func (b *builder) do(ctx context.Context, s *step, res *Result) error {
	st := b.status(len(res.Steps))
	why, resumes, err := b.why(s)
	if err != nil {
		return &StepError{s.name, err}
	}
	st.Done, st.Why, st.Resumes = why == "", why, resumes
	res.Steps = append(res.Steps, st)
	if b.OnStep != nil {
		b.OnStep(st)
	}
	if st.Done {
		return nil
	}
	res.Did++
	b.pace.begin(b, st)
	e, err := b.begin(s, resumes)
	if err != nil {
		return &StepError{s.name, err}
	}
	b.heart = newHeart(b, st)
	defer b.heart.end()
	m := newMeter(b.Dir, b.Disk)
	mctx := m.start(ctx)
	err = panics.Catch(func() error { return b.work(mctx, s, e, resumes) })
	if cause := context.Cause(mctx); cause != nil && ctx.Err() == nil {
		err = cause // the budget of the disk
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

// begin notes that a step begins.
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

// work does a step and looks at what it has made.
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
		if err := e.Outputs[i].look(ctx, b.Dir); err != nil {
			return err
		}
	}
	return nil
}
