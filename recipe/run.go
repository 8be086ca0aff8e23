package recipe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/input"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/pipeline"
	"chaffinch/stage"
)

// RunOptions say where a run reads and writes, and whether it resumes another.
type RunOptions struct {
	// Inputs are files and folders; "-" is Stdin.
	Inputs []string
	// Out is a file, or a folder if it ends in a slash or is one: then each page
	// gets a file of its own. "" writes to Stdout.
	Out string
	// ErrorList is a file that gets one line for each piece of input or page
	// that failed; "" writes none.
	ErrorList string
	// Resume goes on with an unfinished run; Force throws it away. With neither
	// an unfinished run is an error.
	Resume, Force bool
	Stdin         io.Reader
	Stdout        io.Writer
}

// ErrComplete is returned by [Open] when a run should be resumed whose output
// is there and which left no state: nothing is to be done.
var ErrComplete = errors.New("the output is there and no unfinished run is recorded beside it: nothing to resume")

// ErrUnfinished is returned by [Open] when the output belongs to a run that
// was interrupted and the caller says neither Resume nor Force.
var ErrUnfinished = errors.New("an unfinished run: resume it, or start over")

func unfinished(name string) error {
	return fmt.Errorf("%s: %w", name, ErrUnfinished)
}

// Run is a recipe at work on its inputs.
type Run struct {
	in    *input.Reader
	job   pipeline.Job
	state string // name of the state file, "" without checkpoints
	done  bool
	hangs bool // a call of in may be under way for ever
}

// Open builds the stages, opens inputs and output and, to resume, brings both
// to the last checkpoint.
func Open(r *Recipe, at RunOptions) (*Run, error) {
	stages, enc, err := r.Build()
	if err != nil {
		return nil, err
	}
	if err := at.apart(); err != nil {
		return nil, err
	}
	cfg := r.Input
	cfg.Stdin, cfg.Parquet = at.Stdin, ReadParquet
	in, err := input.Open(at.Inputs, cfg)
	if err != nil {
		return nil, err
	}
	run := &Run{in: in, job: pipeline.Job{Source: source{Reader: in}, Stages: needed(stages, enc), Encoder: enc}}
	if err := run.open(r, at); err != nil {
		run.closeFiles()
		return nil, err
	}
	return run, nil
}

// needed returns the stages without that of the language, which takes as long
// as a third of the segmentation, if nothing behind it looks at the language.
func needed(stages []pipeline.Stage, enc pipeline.Encoder) []pipeline.Stage {
	ignores := func(v any) bool {
		l, ok := v.(pipeline.LangIgnorer)
		return ok && l.IgnoresLang()
	}
	if !ignores(enc) {
		return stages
	}
	for i := len(stages) - 1; i >= 0; i-- {
		if stage.IsLanguage(stages[i]) {
			return append(slices.Clone(stages[:i]), stages[i+1:]...)
		}
		if !ignores(stages[i]) {
			break
		}
	}
	return stages
}

// open opens the output, and the state if there can be one.
func (run *Run) open(r *Recipe, at RunOptions) (err error) {
	isDir, keeps := at.isFolder(), at.keeps()
	if !keeps {
		if at.Resume {
			return errors.New("only a run that writes a file or a folder can be resumed: name one as output")
		}
		if run.job.Sink, err = run.stream(at); err != nil {
			return err
		}
		run.frame()
		return run.openErrors(at)
	}
	packing := ""
	if !isDir {
		if run.job.Encoder, packing, err = suit(run.job.Encoder, r.Output.Format, at.Out); err != nil {
			return err
		}
	}
	pack, packs := run.job.Encoder.(pipeline.Packer)
	if packs && isDir {
		return fmt.Errorf("output %s: format %s puts all pages into one file: name a file, not a folder", at.Out, r.Output.Format)
	}
	run.state = pipeline.StateFile(at.Out)
	if err := run.start(r, at, isDir); err != nil {
		return err
	}
	start := &run.job.Start
	switch {
	case isDir:
		format, _ := FormatOf(r.Output.Format) // Build has found it
		run.job.Sink, err = sink(pipeline.OpenDir(at.Out, format.Ext, at.Inputs, start.Output))
	case packs:
		run.job.Sink, err = sink(pipeline.OpenSpool(at.Out, pack, start.Output, start.Done))
	default:
		run.job.Sink, err = openStream(at.Out, start.Output, packing)
	}
	if err != nil {
		return err
	}
	run.frame()
	if err := run.openErrors(at); err != nil {
		return err
	}
	run.done = start.Done
	run.job.Save = func(s *pipeline.State) error { return pipeline.SaveState(run.state, s) }
	return run.job.Source.(source).Goto(start.Mark)
}

// stream opens an output that does not keep what is written.
func (run *Run) stream(at RunOptions) (pipeline.Sink, error) {
	pack, packs := run.job.Encoder.(pipeline.Packer)
	switch {
	case packs && at.Out != "":
		return nil, fmt.Errorf("output %s: this format wants a file or standard output", at.Out)
	case packs:
		return sink(pipeline.NewSpool(at.Stdout, pack))
	case at.Out == "":
		return pipeline.NewStream(at.Stdout), nil
	}
	return sink(pipeline.OpenStream(at.Out, 0))
}

// openStream opens a file to be written from a place on, packed or not.
func openStream(name string, from int64, packing string) (pipeline.Sink, error) {
	s, err := pipeline.OpenStream(name, from)
	if err == nil && packing != "" {
		err = s.Pack(packing)
	}
	return sink(s, err)
}

// sink makes a Sink of what was opened, nil if it was not.
func sink[S pipeline.Sink](s S, err error) (pipeline.Sink, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// frame tells a stream what its format has around pages.
func (run *Run) frame() {
	if s, ok := run.job.Sink.(*pipeline.Stream); ok {
		if f, ok := run.job.Encoder.(pipeline.Framer); ok {
			s.Frame(f.Frame())
		}
	}
}

func (run *Run) openErrors(at RunOptions) error {
	if at.ErrorList == "" {
		return nil
	}
	s, err := pipeline.OpenStream(at.ErrorList, run.job.Start.ErrorList)
	if err != nil {
		return err
	}
	run.job.Errors = s
	return nil
}

// start finds the state to start from. It writes the first state before the
// output is touched, so that an output without a state is always whole.
func (run *Run) start(r *Recipe, at RunOptions, isDir bool) error {
	hash, ident := r.hash(run.job.Stages), run.in.Identity()
	s, err := pipeline.LoadState(run.state)
	switch {
	case err != nil && !at.Force:
		return err
	case at.Force || s == nil && !at.Resume || s != nil && s.Done && !at.Resume:
	case s != nil && !at.Resume:
		return unfinished(run.state)
	case s != nil:
		if err := s.Check(run.state, hash, ident); err != nil {
			return err
		}
		run.job.Start = *s
		return nil
	default:
		probe := at.Out
		if isDir {
			probe = filepath.Join(at.Out, pipeline.ListName)
		}
		if _, err := os.Stat(probe); err == nil {
			return ErrComplete
		}
	}
	run.job.Start = pipeline.State{Recipe: hash, Inputs: ident}
	if err := disk.MkdirAll(filepath.Dir(run.state)); err != nil {
		return err
	}
	return pipeline.SaveState(run.state, &run.job.Start)
}

// isFolder tells whether the output is a folder, or its name says so.
func (at *RunOptions) isFolder() bool {
	st, err := os.Stat(at.Out)
	return strings.HasSuffix(at.Out, "/") || strings.HasSuffix(at.Out, string(filepath.Separator)) || err == nil && st.IsDir()
}

// keeps tells whether the output keeps what is written, so that a run can go on.
func (at *RunOptions) keeps() bool {
	if at.Out == "" {
		return false
	}
	st, err := os.Stat(at.Out)
	return err != nil || st.IsDir() || st.Mode().IsRegular()
}

// apart refuses outputs that are inputs or each other, and those that a later
// reading of the inputs would take for input.
func (at *RunOptions) apart() error {
	var inputs []files.Place
	for _, in := range at.Inputs {
		inputs = append(inputs, files.Place{What: "the input", Path: in})
	}
	outputs := []files.Place{{What: "output", Path: at.Out}, {What: "list of errors", Path: at.ErrorList}}
	if err := files.Apart(inputs, outputs); err != nil {
		return err
	}
	return files.Outside(inputs, outputs)
}

// Resumed returns the number of pages that were done before the run was
// interrupted, 0 for a run from the beginning.
func (run *Run) Resumed() int64 {
	if run.job.Start.Report == nil {
		return 0
	}
	return run.job.Start.Report.Pages
}

// Progress returns how many bytes of the inputs are read and how many there
// are, -1 if that is unknown. It is safe to call while Do runs.
func (run *Run) Progress() (done, total int64) { return run.in.Progress() }

// CanResume tells whether the run leaves checkpoints.
func (run *Run) CanResume() bool { return run.state != "" }

// Do runs the recipe to its end. Errors that are not of single pages end it;
// then it can be resumed, if [Run.CanResume].
func (run *Run) Do(ctx context.Context, cfg pipeline.Config) (*pipeline.Report, error) {
	if run.done {
		return run.job.Start.Report, nil
	}
	rep, err := pipeline.Run(ctx, run.job, cfg)
	run.done = err == nil
	run.hangs = ctx.Err() != nil
	return rep, err
}

// Close closes inputs and output. After a finished run it removes the state
// file; call it when the report has been told, since a resumed run tells it
// again as long as the state is there.
func (run *Run) Close() error {
	err := run.closeFiles()
	if run.done && run.state != "" && err == nil {
		err = disk.Remove(run.state)
	}
	return err
}

func (run *Run) closeFiles() error {
	var errs []error
	for _, s := range []pipeline.Sink{run.job.Sink, run.job.Errors} {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	if !run.hangs {
		errs = append(errs, run.in.Close())
	}
	return errors.Join(errs...)
}
