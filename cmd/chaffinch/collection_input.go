package main

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"chaffinch/build/recipe"
	"chaffinch/format/sniff"
	"chaffinch/input/records"
	"chaffinch/internal/files"
	"chaffinch/internal/panics"
	"chaffinch/internal/termsafe"
	"chaffinch/pipeline"
)

// collectionInput holds the flags for reading a collection.
type collectionInput struct {
	InputFormat string   `default:"" enum:",jsonl,text,vertical,prevertical" group:"Input" placeholder:"NAME" help:"Format of all inputs: jsonl (also the output of clean --format json), text, vertical or prevertical. Default: by content."`
	TextField   string   `group:"Input" placeholder:"NAME" help:"JSONL: field with the text. Default: text."`
	MaxDocBytes byteSize `group:"Input" placeholder:"SIZE" help:"Maximum size of a document, such as 64MiB; also limits its paragraphs, to one per 32 bytes. Larger documents are reported and passed through unchanged. Default: 16MiB."`
	Split       string   `default:"" enum:",file,blank,line" group:"Input" placeholder:"HOW" help:"Plain text: a document is a file, ends at an empty line (blank), or is a line. Default: file for folders, else blank."`
	Doc         string   `group:"Input" placeholder:"NAME" help:"Verticals: structure of a document. Default: doc."`
	Para        string   `group:"Input" placeholder:"NAME" help:"Verticals: structure of a paragraph. Default: p."`
}

// config returns the configuration to read the collection.
func (c *collectionInput) config() records.Config {
	return records.Config{Format: records.Format(c.InputFormat), TextField: c.TextField, Split: c.Split, Doc: c.Doc, Para: c.Para, MaxBytes: int(c.MaxDocBytes), Parquet: recipe.ReadParquet}
}

// inputsOf returns the inputs of a command. Without names it returns standard input, unless
// that is a terminal.
func inputsOf(names []string, con *console, command string) ([]string, error) {
	if len(names) > 0 {
		return names, nil
	}
	if isTerminal(con.in) {
		return nil, fmt.Errorf("no input: name files or folders, or pipe a collection in; see chaffinch %s --help", command)
	}
	return []string{"-"}, nil
}

// collectionRun are the flags of a run over a collection.
type collectionRun struct {
	Jobs       int           `short:"j" placeholder:"N" help:"Workers. Default: one per processor. Does not change the output."`
	Resume     bool          `help:"Resume an interrupted run; the output is the same as without the interruption. Safe to repeat."`
	Force      bool          `help:"Discard an unfinished run of the same OUT and start over."`
	Checkpoint time.Duration `placeholder:"TIME" help:"Maximum time between two checkpoints. Default: 2s; of dedup 1m."`

	Errors  string `placeholder:"FILE" help:"Write one line for each piece of input that is not a document. The terminal shows only the first ${shown}."`
	Summary string `placeholder:"FILE" help:"Also write the report as JSON."`
	Quiet   bool   `short:"q" help:"No progress, no report; errors are still shown."`
}

// job returns the settings that all runs over a collection share.
func (r *collectionRun) job(con *console) pipeline.Job {
	return pipeline.Job{Stdin: con.in, Stdout: con.out, Resume: r.Resume, Force: r.Force, Workers: r.Jobs, Checkpoint: r.Checkpoint}
}

// open wants the summary to be writable, which is to be known before the work, and
// opens the list of errors. list writes an error to it and, up to a number, to the
// screen.
func (r *collectionRun) open() (list func(screen io.Writer, err error), end func() error, err error) {
	if r.Summary != "" {
		if err := writable(r.Summary); err != nil {
			return nil, nil, err
		}
	}
	var file *files.Growing
	end = func() error { return nil }
	if r.Errors != "" {
		if file, err = files.GrowOnce(r.Errors); err != nil {
			return nil, nil, err
		}
		end = func() error { return errors.Join(file.End(), file.Commit()) }
	}
	show := firstErrors(" (--errors FILE lists all)")
	return func(out io.Writer, err error) {
		if file != nil {
			fmt.Fprintln(file, termsafe.Line(panics.Detail(err)))
		}
		show(out, err)
	}, end, nil
}

// firstErrors returns a function that shows the first errors, and then that there are more,
// with what to do about it. Of files that are all of the same wrong form only the first is
// shown.
func firstErrors(hint string) func(out io.Writer, err error) {
	var told, forms atomic.Int64
	var form sync.Map // the forms that were reported, by message
	return func(out io.Writer, err error) {
		if wrong := (*sniff.Error)(nil); errors.As(err, &wrong) {
			if _, again := form.LoadOrStore(wrong.Error(), true); again {
				if forms.Add(1) == 1 {
					fmt.Fprintf(out, "chaffinch: more files of this kind are not shown%s\n", hint)
				}
				return
			}
		}
		switch n := told.Add(1); {
		case n <= shownErrors:
			fmt.Fprintf(out, "chaffinch: %s\n", inFlags(err))
		case n == shownErrors+1:
			fmt.Fprintf(out, "chaffinch: more errors are not shown%s\n", hint)
		}
	}
}

// printReport writes the report of a run as JSON, if the flags request it, and calls show for the
// readable report.
func (r *collectionRun) printReport(report any, show func() error) error {
	if r.Summary != "" {
		if err := files.WriteJSON(r.Summary, report, "  "); err != nil {
			return err
		}
	}
	if r.Quiet {
		return nil
	}
	return show()
}

// incompleteError returns the error of a run that did not process all of its input, by the counts of
// its report, or nil.
func incompleteError(docs, bad, outside, failed int64) error {
	switch {
	case docs == 0 && bad == 0 && outside > 0:
		return errNo{fmt.Sprintf("no document in %s bytes of input, which were passed through unchanged: set the format with --input-format, --doc and --para", number(outside))}
	case docs == 0 && bad > 0:
		return errNo{fmt.Sprintf("no document in %s of input, which were passed through unchanged: name the text field with --text-field, or set the format with --input-format", count(bad, "piece"))}
	case bad > 0:
		return errNo{fmt.Sprintf("%s could not be read as documents: passed through unchanged between documents, otherwise skipped", count(bad, "piece"))}
	case failed > 0:
		return errNo{fmt.Sprintf("%s caused an internal error and were passed through unchanged; all others are done", count(failed, "document"))}
	}
	return nil
}
