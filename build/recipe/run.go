package recipe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/build/stage"
	"chaffinch/input"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/page"
	"chaffinch/pipeline"
	"chaffinch/text/token"
)

// RunOptions configures the inputs and outputs of a run. An output whose name ends in a slash is
// a folder; each page becomes a file in it.
type RunOptions struct {
	pipeline.Config
	// Pieces are pieces of files that are read instead of Inputs. Default: nil, Inputs.
	Pieces []input.Piece
	// Aside are the files of the further outputs, in the order of [Output.Aside].
	Aside []string
	// Further are outputs in addition to the outputs of the recipe. Default: none.
	Further []Further
	// ErrorList is a file with one line for each failed page or piece of input. Default: "",
	// no file.
	ErrorList string
	// MaxBytes ends the input after this number of bytes of pages, for a sample. Default: 0,
	// read all.
	MaxBytes int64
	// OnHTML and OnTable are the fields of [input.Config].
	OnHTML, OnTable func(name string)
}

// Further is an output that is not part of a recipe: a file, compressed according to its suffix,
// and an encoder that receives every page with all its blocks.
type Further struct {
	File    string
	Encoder pipeline.Encoder
}

// DefaultRun holds the settings that the command uses, without inputs and outputs.
var DefaultRun = RunOptions{Config: pipeline.Default}

// Run is a recipe running on its inputs.
type Run struct {
	in    *input.Reader
	cfg   pipeline.Config
	chain pipeline.Chain
	sites *sites // nil if no stage compares the pages of a site
	out   *Output
	state string // name of the state file, "" without checkpoints
	part  string // location of the main output until it is complete, or ""
	done  bool
	hangs bool // a call of in may never return
}

// Open builds the stages and opens inputs and outputs. To resume a run, it restores the last
// checkpoint.
func Open(r *Recipe, at RunOptions) (*Run, error) {
	stages, encoders, err := r.build()
	if err != nil {
		return nil, err
	}
	if len(at.Aside) != len(r.Output.Aside) {
		return nil, fmt.Errorf("the recipe has %d further outputs, %d files are named for them", len(r.Output.Aside), len(at.Aside))
	}
	if err := at.apart(); err != nil {
		return nil, err
	}
	if err := at.convertible(r.Input); err != nil {
		return nil, err
	}
	cfg := r.Input
	cfg.Stdin, cfg.Parquet, cfg.Workers, cfg.OnHTML, cfg.OnTable = at.Stdin, ReadParquet, at.Workers, at.OnHTML, at.OnTable
	in, err := at.open(cfg)
	if err != nil {
		return nil, err
	}
	if len(r.Output.Langs) == 0 {
		stages = needed(stages, encoders)
	}
	for _, f := range at.Further {
		encoders = append(encoders, f.Encoder)
	}
	run := &Run{in: in, cfg: at.Config, out: &r.Output, chain: pipeline.Chain{Step: string(StepPages), Source: newSource(in, at.MaxBytes, &r.Output), Stages: stages, Words: words}}
	if run.sites, err = openSites(run.chain.Stages, at, cfg); err == nil {
		err = run.open(r, at, encoders)
	}
	if err != nil {
		run.closeFiles()
		return nil, err
	}
	return run, nil
}

// open opens the inputs.
func (at *RunOptions) open(cfg input.Config) (*input.Reader, error) {
	if at.Pieces != nil {
		return input.OpenPieces(at.Pieces, cfg)
	}
	return input.Open(at.Inputs, cfg)
}

// needed returns the stages without the language stage if no encoder and no later stage uses
// the language.
func needed(stages []pipeline.Stage, encoders []pipeline.Encoder) []pipeline.Stage {
	for _, e := range encoders {
		if l, ok := e.(pipeline.LangIgnorer); !ok || !l.IgnoresLang() {
			return stages
		}
	}
	return stage.WithoutLanguage(stages)
}

// words returns the number of visible words of a page and the number of kept words.
func words(p *page.Page) (all, kept int) {
	t := token.CountPage(p)
	return t.Words, t.WordsKept
}

// open opens the outputs, and the state file if the run can be resumed.
func (run *Run) open(r *Recipe, at RunOptions, encoders []pipeline.Encoder) (err error) {
	isDir, keeps := at.isFolder(), at.ToFile()
	if !keeps && at.Resume {
		return errors.New("only a run that writes a file or a folder can be resumed: name one as output")
	}
	for i, enc := range encoders {
		if name, format := run.out.place(i, at); format != "" && (i > 0 || keeps && !isDir) {
			encoders[i], err = suit(enc, format, name)
		} else if _, packs := enc.(pipeline.Packer); packs && isDir {
			err = fmt.Errorf("output %s: format %s puts all pages into one file: name a file, not a folder", name, format)
		}
		if err != nil {
			return err
		}
	}
	if keeps {
		run.state = pipeline.StateFile(at.Out)
		if err := run.start(r, at, isDir); err != nil {
			return err
		}
	}
	for i, enc := range encoders {
		var s pipeline.Sink
		name, format := run.out.place(i, at)
		switch {
		case i == 0 && isDir:
			s, err = run.openDir(at, format)
		case i == 0 && !keeps:
			s, err = stream(enc, at)
		default:
			s, err = run.openFile(enc, name, format, i)
		}
		if err != nil {
			return err
		}
		frame(s, enc)
		run.chain.Outputs = append(run.chain.Outputs, pipeline.Output{Encoder: run.out.view(i, enc), Sink: s})
	}
	if at.ErrorList != "" {
		if run.chain.Errors, err = run.openStream(at.ErrorList, run.chain.Start.Place(len(run.chain.Outputs)).Length); err != nil {
			return err
		}
	}
	if !keeps {
		return nil
	}
	run.done = run.chain.Start.Done
	run.chain.Save = func(s *pipeline.PageState) error { return pipeline.SaveState(run.state, s) }
	return run.chain.Source.(*source).Goto(run.chain.Start.Mark)
}

// stream opens a main output that does not store data, such as a pipe.
func stream(enc pipeline.Encoder, at RunOptions) (pipeline.Sink, error) {
	pack, packs := enc.(pipeline.Packer)
	switch {
	case packs && at.Out != "":
		return nil, fmt.Errorf("output %s: this format needs a file or standard output", at.Out)
	case packs:
		return sink(pipeline.NewSpool(at.Stdout, pack))
	case at.Out == "":
		return pipeline.NewStream(at.Stdout), nil
	}
	return sink(pipeline.CreateStream(at.Out))
}

// place returns the name and the format of the i-th output. The format is "" for an output that
// is not part of the recipe.
func (o *Output) place(i int, at RunOptions) (name, format string) {
	switch {
	case i == 0:
		return at.Out, o.Format
	case i <= len(o.Aside):
		return at.Aside[i-1], o.Aside[i-1].Format
	}
	return at.Further[i-1-len(o.Aside)].File, ""
}

// openDir opens a folder as output.
func (run *Run) openDir(at RunOptions, format string) (pipeline.Sink, error) {
	f, err := FormatOf(format)
	if err != nil {
		return nil, err
	}
	run.part = at.Out
	start := &run.chain.Start
	return sink(pipeline.OpenDir(at.Out, f.Ext, at.Inputs, start.Place(0).Length, start.Done))
}

// openFile opens the file of the i-th output.
func (run *Run) openFile(enc pipeline.Encoder, name, format string, i int) (pipeline.Sink, error) {
	start := &run.chain.Start
	pack, packs := enc.(pipeline.Packer)
	switch {
	case packs && run.state == "":
		return nil, fmt.Errorf("output %s: format %s needs a main output in a file: name one with -o, or take another format", name, format)
	case packs:
		return sink(pipeline.OpenSpool(name, pack, start.Place(i).Length, start.Done))
	case i == 0:
		run.part = files.Part(name)
	}
	return run.openStream(name, start.Place(i).Length)
}

// openStream opens a file for writing from an offset, if the run can be resumed.
func (run *Run) openStream(name string, from int64) (pipeline.Sink, error) {
	if run.state == "" {
		return sink(pipeline.CreateStream(name))
	}
	return sink(pipeline.OpenStream(name, from, run.chain.Start.Done))
}

// sink converts an opened output to a Sink. It returns nil on error.
func sink[S pipeline.Sink](s S, err error) (pipeline.Sink, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// frame sets the text that the format writes around pages.
func frame(s pipeline.Sink, enc pipeline.Encoder) {
	if s, ok := s.(*pipeline.Stream); ok {
		if f, ok := enc.(pipeline.Framer); ok {
			s.Frame(f.Frame())
		}
	}
}

// start finds the state to start from.
func (run *Run) start(r *Recipe, at RunOptions, isDir bool) error {
	whole := at.Out
	if isDir {
		whole = filepath.Join(at.Out, pipeline.ListName)
	}
	run.chain.Start = pipeline.PageState{Job: r.hash(run.chain.Stages), Inputs: run.in.Identity()}
	return run.chain.Start.Begin(run.state, whole, at.Resume, at.Force, pipeline.Sound)
}

// isFolder reports whether the output is a folder or its name denotes one.
func (at *RunOptions) isFolder() bool {
	st, err := os.Stat(at.Out)
	return strings.HasSuffix(at.Out, "/") || strings.HasSuffix(at.Out, string(filepath.Separator)) || err == nil && st.IsDir()
}

// Progress returns the number of bytes read from the inputs and the total number, or -1 if
// it is not known. It may be called during Do.
func (run *Run) Progress() (done, total int64) { return run.in.Progress() }

// CanResume reports whether the run writes checkpoints.
func (run *Run) CanResume() bool { return run.state != "" }

// Part returns the location of the main output until it is complete, or "" if the run cannot
// be resumed.
func (run *Run) Part() string { return run.part }

// Do runs the recipe to its end. Errors that do not belong to a single page end the run. It
// can then be resumed if [Run.CanResume] reports true.
func (run *Run) Do(ctx context.Context) (*pipeline.Report, error) {
	if err := run.count(ctx); err != nil {
		run.hangs = ctx.Err() != nil
		return nil, err
	}
	rep, err := pipeline.Run(ctx, run.chain, run.cfg)
	run.done = err == nil
	if list := run.chain.Errors; err != nil && list != nil && run.state == "" { // the run cannot be resumed, so the list is published now
		err = errors.Join(err, list.Sync(), list.Publish())
	}
	run.hangs = ctx.Err() != nil
	return rep, err
}

// Close closes inputs and outputs. After a finished run it removes the state file. Call
// Close after the report was delivered: while the state file exists, a resumed run delivers
// the report again.
func (run *Run) Close() error {
	err := run.closeFiles()
	if run.done && run.state != "" && err == nil {
		err = disk.Remove(run.state)
	}
	return err
}

func (run *Run) closeFiles() error {
	var errs []error
	if run.sites != nil {
		errs = append(errs, run.sites.close(run.hangs))
	}
	if run.chain.Errors != nil {
		errs = append(errs, run.chain.Errors.Close())
	}
	for _, o := range run.chain.Outputs {
		errs = append(errs, o.Sink.Close())
	}
	if !run.hangs {
		errs = append(errs, run.in.Close())
	}
	return errors.Join(errs...)
}
