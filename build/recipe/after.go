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

// workSuffix is what the work folder of package dedup has behind its output.
const workSuffix = ".work"

// setting is an error over a field of a Job.
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

// dedup removes the duplicates of a file that was written.
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
	if err != nil && !errors.Is(err, pipeline.ErrComplete) { // of which only the work folder and the input were left
		return err
	}
	rep.Dedup, rep.DedupTime = done, time.Since(start)
	return disk.Remove(from)
}

// tag gives a file that was written to the tokenizer and the tagger.
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

// forget removes what the tokenizer and the tagger have printed.
func (j *Job) forget() error {
	return errors.Join(disk.RemoveAll(j.Out+wordsSuffix), disk.RemoveAll(j.Out+columnsSuffix))
}

// through gives a vertical to the tokenizer, and what comes of it to the tagger.
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

// ours reads a vertical that was written here: nothing is to be repaired.
func ours(in io.Reader, name string) *vertical.Reader {
	return vertical.NewReader(in, vertical.ReaderConfig{Name: name, Strict: true})
}

// tagStream is a tokenizer and tagger between a run and standard output. What a
// run writes to in goes through them.
type tagStream struct {
	in     *io.PipeWriter
	out    *io.PipeReader
	cancel context.CancelFunc
	done   chan error
	rep    Report // of the programs alone
}

func newTagStream() *tagStream {
	s := &tagStream{done: make(chan error, 1)}
	s.out, s.in = io.Pipe()
	return s
}

// start lets the programs of j write to its standard output until end is called.
func (s *tagStream) start(j *Job) {
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	go func() {
		err := panics.Catch(func() error { return j.through(ctx, j.Stdout, s.out, &s.rep) })
		s.out.CloseWithError(err) // what the run still writes then fails
		s.done <- err
	}()
}

// end waits for the programs when the run has ended with err.
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

// noRegistry tells whether the files for corpus managers are not there, or older
// than the output: those of a run before.
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

// registry writes the files for corpus managers.
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

// WriteRegistry writes the files by which corpus managers index a vertical that a run has
// written, whose tokens have these columns, and returns their names.
func WriteRegistry(ctx context.Context, name string, columns []string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in, err := packed.NewReader(readers.Until(ctx, f), packed.Own)
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
