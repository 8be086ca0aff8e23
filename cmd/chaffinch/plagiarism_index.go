package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"chaffinch/build/recipe"
	"chaffinch/input/records"
	"chaffinch/internal/forecast"
	"chaffinch/internal/report"
	"chaffinch/internal/settings"
	"chaffinch/internal/workdir"
	"chaffinch/page"
	"chaffinch/plagiarism"
)

type plagiarismIndexCmd struct {
	Sources []string `arg:"" help:"Source documents: files and folders, plain or compressed (.gz, .zst); .txt files are one document each, others are JSON lines or verticals; - is standard input."`
	Out     string   `short:"o" required:"" placeholder:"DIR" help:"Folder of the index; an existing index is replaced when the new one is complete."`
	Memory  string   `default:"512MiB" help:"Memory limit; the rest is sorted on disk, in DIR (${default}). Does not change the index."`
	planFlag
	Quiet bool `short:"q" help:"No summary."`
	fingerprintFlags
	documentFlags
}

// fingerprintFlags are the settings of an index.
type fingerprintFlags struct {
	Span   *int     `range:"[1,32]" placeholder:"N" help:"Number of following content words that each word is paired with for fingerprints. Default: 4."`
	Sample *int     `range:"[1,1024]" placeholder:"N" help:"Store one fingerprint in N: the index is N times smaller, but misses short or heavily changed passages. Default: 2."`
	Common *float64 `range:"(0,1]" placeholder:"X" help:"Maximum share of running text of a content word. Default: 0.0015."`
}

// config returns the settings of the flags, with defaults for missing ones.
func (c *fingerprintFlags) config() plagiarism.IndexConfig {
	d := plagiarism.DefaultIndex
	return plagiarism.IndexConfig{Span: valueOr(c.Span, d.Span), Sample: valueOr(c.Sample, d.Sample), Common: valueOr(c.Common, d.Common)}
}

// documentFlags holds the flags for reading documents.
type documentFlags struct {
	InputFormat string   `default:"auto" enum:"auto,text,jsonl,vertical,prevertical" placeholder:"NAME" help:"Format of the documents: ${enum}. Default: ${default} (text for .txt, others by content)."`
	TextField   string   `default:"text" placeholder:"NAME" help:"Field of a JSON line with the text (${default})."`
	MaxDocBytes byteSize `placeholder:"SIZE" help:"Maximum size of a document, such as 128MiB; larger documents are reported and skipped. Default: 16MiB."`
}

// config returns the settings; onError is told of what cannot be read.
func (c *documentFlags) config(onError func(*page.Error)) (cfg plagiarism.ReadConfig, err error) {
	if c.TextField == "" {
		return cfg, errors.New("--text-field: empty, wanted the name of the field with the text")
	}
	cfg.OnError = onError
	cfg.Collection.TextField, cfg.Collection.MaxBytes, cfg.Collection.Parquet = c.TextField, int(c.MaxDocBytes), recipe.ReadParquet
	if c.InputFormat != "auto" {
		cfg.Collection.Format = records.Format(c.InputFormat)
	}
	return cfg, nil
}

// spool puts standard input into a file for cfg if it is one of the paths; end
// removes it.
func spool(con *console, paths []string, cfg *plagiarism.ReadConfig) (end func() error, err error) {
	if !slices.Contains(paths, "-") {
		return func() error { return nil }, nil
	}
	work, err := workdir.Temp()
	if err != nil {
		return nil, err
	}
	end = work.Close
	if cfg.Collection.Stdin, err = records.Spool(con.in, work.Path); err != nil {
		return nil, errors.Join(err, end())
	}
	return end, nil
}

// Help is the long help.
func (plagiarismIndexCmd) Help() string {
	return `Builds an index of source documents for plagiarism search --index. It holds their texts, and the positions of pairs of nearby content words.

Examples:
  chaffinch plagiarism index sources/ -o sources.index
  chaffinch plagiarism index crawl.jsonl.zst -o crawl.index --memory 2GiB --sample 2`
}

// Run makes the index.
func (c *plagiarismIndexCmd) Run(ctx context.Context, con *console) error {
	memory, err := settings.ParseSize(c.Memory)
	if err != nil {
		return fmt.Errorf("--memory %w", err)
	}
	if c.Plan {
		return c.estimate(ctx, con, memory)
	}
	bad := badDocuments{con: con}
	read, err := c.documentFlags.config(func(e *page.Error) { bad.report(e) })
	if err != nil {
		return err
	}
	debug.SetMemoryLimit(memory)
	start := time.Now()
	b, err := plagiarism.NewIndexBuilder(c.Out, c.fingerprintFlags.config(), memory/2, "chaffinch "+version)
	if err != nil {
		return err
	}
	if err := addAll(ctx, con, b, c.Sources, read, &bad); err != nil {
		return errors.Join(err, b.Abort())
	}
	docs, bytes := b.Docs(), b.Bytes()
	if docs == 0 {
		return errors.Join(errors.New("no documents in the sources"), b.Abort())
	}
	if err := b.Close(ctx); err != nil {
		return err
	}
	if !c.Quiet {
		printSpeed(con, time.Since(start), bytes)
		fmt.Fprintf(con.out, "%s: %s, %s, %s\n", c.Out, count(int64(docs), "document"), report.Size(int64(bytes)), count(b.Fingerprints(), "fingerprint"))
	}
	return bad.judge()
}

// estimate prints the predicted cost.
func (c *plagiarismIndexCmd) estimate(ctx context.Context, con *console, memory int64) error {
	return estimate(ctx, con, "plagiarism index", forecast.Config{
		Inputs: c.Sources, End: "</doc>", Memory: memory, MinMemory: 1 << 20,
		Do: func(ctx context.Context, inputs []string, memory int64, out string) error {
			at := *c
			at.Plan, at.Quiet, at.Sources, at.Memory, at.Out = false, true, inputs, fmt.Sprint(memory), out
			return at.Run(ctx, silent())
		},
	})
}

// addAll adds documents to an index, and reports documents with an id that is in it already.
func addAll(ctx context.Context, con *console, b *plagiarism.IndexBuilder, paths []string, cfg plagiarism.ReadConfig, bad *badDocuments) (err error) {
	end, err := spool(con, paths, &cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	return b.AddFiles(ctx, paths, cfg, bad.leftOut)
}

// badDocuments reports and counts unusable documents.
type badDocuments struct {
	con *console
	n   int64
}

func (b *badDocuments) report(err error) {
	if errors.Is(err, page.ErrEmpty) {
		fmt.Fprintf(b.con.err, "chaffinch: %v\n", err)
		return
	}
	if b.n++; b.n <= shownErrors {
		fmt.Fprintf(b.con.err, "chaffinch: %s\n", inFlags(err))
	}
}

// leftOut reports why a document is skipped.
func (b *badDocuments) leftOut(d plagiarism.Document, err error) {
	if errors.As(err, new(*plagiarism.DuplicateError)) {
		b.report(fmt.Errorf("%s: %w: the second one is skipped", d.File, err))
		return
	}
	b.report(fmt.Errorf("%s: document %q is skipped: %w", d.File, d.ID, err))
}

// judge is the error of a run that left documents out.
func (b *badDocuments) judge() error {
	if b.n == 0 {
		return nil
	}
	what := " documents or pieces"
	if b.n == 1 {
		what = " document or piece"
	}
	return errNo{number(b.n) + what + " of input skipped; all others are done"}
}
