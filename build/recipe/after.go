package recipe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"chaffinch/dedup"
	"chaffinch/format/vertical"
	"chaffinch/input/records"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/internal/packed"
	"chaffinch/internal/panics"
	"chaffinch/internal/parallel"
	"chaffinch/internal/readers"
	"chaffinch/internal/settings"
	"chaffinch/pipeline"
)

// workSuffix is the suffix of the work folder of package dedup.
const workSuffix = ".work"

// setting returns an error about a field of MakeOptions.
func setting(name, format string, args ...any) error {
	return &settings.FieldError{Field: name, Err: fmt.Errorf(format, args...)}
}

func (o *MakeOptions) checkDedup(format string, toFile bool) error {
	switch f, err := FormatOf(format); {
	case err != nil:
		return err
	case o.isFolder():
		return setting("dedup", "output %s is a folder, wanted one file: duplicates in a folder can be removed when it is written", o.Out)
	case !toFile:
		return setting("dedup", "standard output, wanted a file")
	case f.ReadBack == nil:
		return setting("dedup", "format %s cannot be read back: take one of %s", format, formatsWith(func(g *Format) bool { return g.ReadBack != nil }))
	case isArray(o.Out):
		return setting("dedup", "output %s would be lines of JSON: name it .jsonl, with the format json for typed blocks", o.Out)
	case o.Recipe.Output.Annotate:
		return setting("dedup", "it leaves text out, annotate leaves all in: leave out one of them")
	}
	return nil
}

// dedup removes the duplicates of a written file.
func (o *MakeOptions) dedup(ctx context.Context, from, to string, res *Result) error {
	f, err := FormatOf(o.Recipe.Output.Format)
	if err != nil {
		return err
	}
	cfg := dedup.Config{Job: o.Job, Input: *f.ReadBack, Method: o.Dedup, Work: to + workSuffix}
	cfg.Inputs, cfg.Out, cfg.Resume, cfg.Checkpoint = []string{from}, to, exists(cfg.Work), 0
	if f.ReadBack.Format == records.Text {
		cfg.Rank = dedup.ByInput // its documents have no ids
	}
	o.begin(StepDedup, res)
	res.Resumable = true
	start := time.Now()
	done, err := dedup.Run(ctx, cfg)
	if err != nil && !errors.Is(err, pipeline.ErrComplete) { // only the work folder and the input had to be removed
		return err
	}
	res.Dedup, res.DedupTime = done, time.Since(start)
	return disk.Remove(from)
}

// tag runs the tokenizer and the tagger on a written file.
func (o *MakeOptions) tag(ctx context.Context, from string, res *Result) error {
	o.begin(StepTagger, res)
	res.Resumable = true
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	if !o.Resume {
		if err := o.forget(); err != nil {
			return err
		}
	}
	programs := *o
	if o.Tokenizer != nil {
		t := *o.Tokenizer
		t.Journal, programs.Tokenizer = o.Out+wordsSuffix, &t
	}
	if o.Tagger != nil {
		t := *o.Tagger
		t.Journal, programs.Tagger = o.Out+columnsSuffix, &t
	}
	err = files.ReplacePacked(o.Out, func(w io.Writer) error { return programs.through(ctx, w, f, res) })
	if err != nil {
		return err
	}
	return errors.Join(disk.Remove(from), o.forget())
}

// forget removes the stored output of the tokenizer and the tagger.
func (o *MakeOptions) forget() error {
	return errors.Join(disk.RemoveAll(o.Out+wordsSuffix), disk.RemoveAll(o.Out+columnsSuffix))
}

// through runs the tokenizer on a vertical and the tagger on its output.
func (o *MakeOptions) through(ctx context.Context, w io.Writer, in io.Reader, res *Result) error {
	if o.Tokenizer == nil {
		done, err := o.Tagger.Tag(ctx, w, ours(in, o.Out))
		res.Tagger = &done
		return err
	}
	res.Tokenizer = &vertical.TokenizerReport{}
	words := func(w io.Writer) (err error) {
		*res.Tokenizer, err = o.Tokenizer.Tokenize(ctx, w, ours(in, o.Out))
		return err
	}
	if o.Tagger == nil {
		return words(w)
	}
	return parallel.Pipe(words, func(r io.Reader) error {
		done, err := o.Tagger.Tag(ctx, w, ours(r, o.Out))
		res.Tagger = &done
		return err
	})
}

// ours reads a vertical written by this program. It needs no repairs.
func ours(in io.Reader, name string) *vertical.Reader {
	return vertical.NewReader(in, vertical.ReaderConfig{Name: name, Strict: true})
}

// tagStream runs the tokenizer and the tagger between a run and standard output. The run
// writes to in.
type tagStream struct {
	in     *io.PipeWriter
	out    *io.PipeReader
	cancel context.CancelFunc
	done   chan error
	res    Result // of the programs only
}

func newTagStream() *tagStream {
	s := &tagStream{done: make(chan error, 1)}
	s.out, s.in = io.Pipe()
	return s
}

// start runs the programs of o, writing to its standard output, until end is called.
func (s *tagStream) start(o *MakeOptions) {
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	go func() {
		err := panics.Catch(func() error { return o.through(ctx, o.Stdout, s.out, &s.res) })
		s.out.CloseWithError(err) // later writes of the run fail
		s.done <- err
	}()
}

// end waits for the programs after the run ended with err.
func (s *tagStream) end(ctx context.Context, err error, res *Result) error {
	defer s.cancel()
	if err != nil {
		s.in.CloseWithError(context.Canceled)
		<-s.done
		return err
	}
	stop := context.AfterFunc(ctx, s.cancel)
	defer stop()
	s.in.Close()
	err = <-s.done
	res.Tokenizer, res.Tagger = s.res.Tokenizer, s.res.Tagger
	return err
}

// noRegistry reports whether the registry files are missing or older than the output.
func (o *MakeOptions) noRegistry() bool {
	out, err := os.Stat(o.Out)
	if err != nil {
		return false
	}
	for _, path := range vertical.RegistryFiles(o.Out, vertical.RegistryConfig{}) {
		if info, err := os.Stat(path); err != nil || info.ModTime().Before(out.ModTime()) {
			return true
		}
	}
	return false
}

// registry writes the registry files.
func (o *MakeOptions) registry(ctx context.Context, res *Result) error {
	o.begin(StepRegistry, res)
	res.Resumable = true
	columns := o.Recipe.Output.Columns()
	if o.Tagger != nil {
		columns = append(columns, o.Tagger.Names()...)
	}
	var err error
	res.Registry, err = WriteRegistry(ctx, o.Out, columns)
	return err
}

// WriteRegistry writes the registry files of a vertical with the given columns, and returns
// their names.
func WriteRegistry(ctx context.Context, name string, columns []string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := packed.NewReader(readers.Until(ctx, f), packed.Trusted)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer in.Close()
	inv, err := vertical.Scan(ours(in, name))
	if err != nil {
		return nil, err
	}
	return inv.WriteRegistry(name, vertical.RegistryConfig{Columns: columns})
}
