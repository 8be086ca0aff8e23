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

// setting returns an error about a field of a Job.
func setting(name, format string, args ...any) error {
	return &settings.FieldError{Field: name, Err: fmt.Errorf(format, args...)}
}

func (j *Job) checkDedup(format string, toFile bool) error {
	switch f, err := formatOf(format); {
	case err != nil:
		return err
	case j.isFolder():
		return setting("dedup", "output %s is a folder, wanted one file: duplicates in a folder can be removed when it is written", j.Out)
	case !toFile:
		return setting("dedup", "standard output, wanted a file")
	case f.ReadBack == nil:
		return setting("dedup", "format %s cannot be read back: take one of %s", format, formatsWith(func(g *Format) bool { return g.ReadBack != nil }))
	case isArray(j.Out):
		return setting("dedup", "output %s would be lines of JSON: name it .jsonl, with the format json for typed blocks", j.Out)
	case j.Recipe.Output.Annotate:
		return setting("dedup", "it leaves text out, annotate leaves all in: leave out one of them")
	}
	return nil
}

// dedup removes the duplicates of a written file.
func (j *Job) dedup(ctx context.Context, from, to string, rep *Report) error {
	f, err := formatOf(j.Recipe.Output.Format)
	if err != nil {
		return err
	}
	job := dedup.Job{
		Inputs: []string{from}, Input: *f.ReadBack, Method: j.Dedup, Out: to, Work: to + workSuffix,
		Resume: exists(to + workSuffix), Force: j.Force, Jobs: j.Pipeline.Workers, Memory: j.Memory, Progress: j.Progress,
	}
	if f.ReadBack.Format == records.Text {
		job.Rank = dedup.ByInput // its documents have no ids
	}
	j.begin(StepDedup, rep)
	rep.Resumable = true
	start := time.Now()
	done, err := dedup.Run(ctx, job)
	if err != nil && !errors.Is(err, pipeline.ErrComplete) { // only the work folder and the input had to be removed
		return err
	}
	rep.Dedup, rep.DedupTime = done, time.Since(start)
	return disk.Remove(from)
}

// tag runs the tokenizer and the tagger on a written file.
func (j *Job) tag(ctx context.Context, from string, rep *Report) error {
	j.begin(StepTagger, rep)
	rep.Resumable = true
	f, err := os.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	if !j.Resume {
		if err := j.forget(); err != nil {
			return err
		}
	}
	programs := *j
	if j.Tokenizer != nil {
		t := *j.Tokenizer
		t.Journal, programs.Tokenizer = j.Out+wordsSuffix, &t
	}
	if j.Tagger != nil {
		t := *j.Tagger
		t.Journal, programs.Tagger = j.Out+columnsSuffix, &t
	}
	err = files.ReplacePacked(j.Out, func(w io.Writer) error { return programs.through(ctx, w, f, rep) })
	if err != nil {
		return err
	}
	return errors.Join(disk.Remove(from), j.forget())
}

// forget removes the stored output of the tokenizer and the tagger.
func (j *Job) forget() error {
	return errors.Join(disk.RemoveAll(j.Out+wordsSuffix), disk.RemoveAll(j.Out+columnsSuffix))
}

// through runs the tokenizer on a vertical and the tagger on its output.
func (j *Job) through(ctx context.Context, w io.Writer, in io.Reader, rep *Report) error {
	if j.Tokenizer == nil {
		done, err := j.Tagger.Tag(ctx, w, ours(in, j.Out))
		rep.Tagger = &done
		return err
	}
	rep.Tokenizer = &vertical.TokenizerReport{}
	words := func(w io.Writer) (err error) {
		*rep.Tokenizer, err = j.Tokenizer.Tokenize(ctx, w, ours(in, j.Out))
		return err
	}
	if j.Tagger == nil {
		return words(w)
	}
	return parallel.Pipe(words, func(r io.Reader) error {
		done, err := j.Tagger.Tag(ctx, w, ours(r, j.Out))
		rep.Tagger = &done
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
	rep    Report // of the programs only
}

func newTagStream() *tagStream {
	s := &tagStream{done: make(chan error, 1)}
	s.out, s.in = io.Pipe()
	return s
}

// start runs the programs of j, writing to its standard output, until end is called.
func (s *tagStream) start(j *Job) {
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	go func() {
		err := panics.Catch(func() error { return j.through(ctx, j.Stdout, s.out, &s.rep) })
		s.out.CloseWithError(err) // later writes of the run fail
		s.done <- err
	}()
}

// end waits for the programs after the run ended with err.
func (s *tagStream) end(ctx context.Context, err error, rep *Report) error {
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
	rep.Tokenizer, rep.Tagger = s.rep.Tokenizer, s.rep.Tagger
	return err
}

// noRegistry reports whether the registry files are missing or older than the output.
func (j *Job) noRegistry() bool {
	out, err := os.Stat(j.Out)
	if err != nil {
		return false
	}
	for _, path := range vertical.RegistryFiles(j.Out, vertical.RegistryConfig{}) {
		if info, err := os.Stat(path); err != nil || info.ModTime().Before(out.ModTime()) {
			return true
		}
	}
	return false
}

// registry writes the registry files.
func (j *Job) registry(ctx context.Context, rep *Report) error {
	j.begin(StepRegistry, rep)
	rep.Resumable = true
	columns := []string{"word"}
	if j.Tagger != nil {
		columns = append(columns, j.Tagger.Names()...)
	}
	var err error
	rep.Registry, err = WriteRegistry(ctx, j.Out, columns)
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
