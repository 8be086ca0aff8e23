package main

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"chaffinch/collection"
	"chaffinch/plagiarism"
)

type plagiarismIndexCmd struct {
	Sources []string `arg:"" help:"Source documents: files and folders; .txt files are one document each, others are JSON lines or verticals, all also packed (.gz, .zst)."`
	Out     string   `short:"o" required:"" placeholder:"DIR" help:"Folder of the index; an index that is there is replaced when the new one is done."`
	Memory  string   `default:"512MiB" help:"Memory for the work; what does not fit goes to temporary files in DIR (${default}). It does not change the index."`
	Quiet   bool     `short:"q" help:"No summary."`
	fingerprintFlags
	documentFlags
}

// fingerprintFlags are the settings of an index.
type fingerprintFlags struct {
	Span   int     `placeholder:"N" help:"With how many content words after it a word makes a fingerprint. Default: 4."`
	Sample int     `placeholder:"N" help:"Keep one fingerprint in N: the index is as many times smaller, and short or much changed passages are missed. Default: 2."`
	Common float64 `placeholder:"X" help:"Share of running text above which a word is no content word. Default: 0.0015."`
}

// config returns the settings, those that are not given from the defaults.
func (c *fingerprintFlags) config() plagiarism.IndexConfig {
	cfg := plagiarism.DefaultIndex
	if c.Span != 0 {
		cfg.Span = c.Span
	}
	if c.Sample != 0 {
		cfg.Sample = c.Sample
	}
	if c.Common != 0 {
		cfg.Common = c.Common
	}
	return cfg
}

// documentFlags say how documents are read.
type documentFlags struct {
	InputFormat string `default:"auto" enum:"auto,text,jsonl,vertical,prevertical" placeholder:"NAME" help:"What the documents are: ${enum}. Default: ${default}, text for .txt and for others what they look like."`
	TextField   string `default:"text" placeholder:"NAME" help:"The field of a JSON line that holds the text (${default})."`
}

// config returns the settings; onError is told of what cannot be read.
func (c *documentFlags) config(onError func(error)) plagiarism.ReadConfig {
	cfg := plagiarism.ReadConfig{OnError: onError}
	cfg.Collection.TextField = c.TextField
	if c.InputFormat != "auto" {
		cfg.Collection.Format = collection.Format(c.InputFormat)
	}
	return cfg
}

// Help is the long help.
func (plagiarismIndexCmd) Help() string {
	return `Makes an index of source documents for plagiarism search --index. It holds their texts, and for each pair of content
words that stand near each other where that is.

Examples:
  chaffinch plagiarism index sources/ -o sources.index
  chaffinch plagiarism index crawl.jsonl.zst -o crawl.index --memory 2GiB --sample 2`
}

// Run makes the index.
func (c *plagiarismIndexCmd) Run(ctx context.Context, con *console) error {
	memory, err := parseSize(c.Memory)
	if err != nil {
		return fmt.Errorf("--memory %w", err)
	}
	debug.SetMemoryLimit(memory)
	start := time.Now()
	bad := badDocuments{con: con}
	b, err := plagiarism.NewIndexBuilder(c.Out, c.fingerprintFlags.config(), memory/2, "chaffinch "+version)
	if err != nil {
		return err
	}
	if err := addAll(ctx, b, c.Sources, c.documentFlags.config(bad.tell), &bad); err != nil {
		return errors.Join(err, b.Abort())
	}
	docs, bytes := b.Docs(), b.Bytes()
	if docs == 0 {
		return errors.Join(errors.New("no document in the sources"), b.Abort())
	}
	if err := b.Close(ctx); err != nil {
		return err
	}
	if !c.Quiet {
		took := time.Since(start).Seconds()
		fmt.Fprintf(con.out, "%s: %s, %.1f MB, %s in %.1f s: %.1f MB/s\n", c.Out, count(int64(docs), "document"), float64(bytes)/1e6, count(b.Fingerprints(), "fingerprint"), took, float64(bytes)/1e6/took)
	}
	return bad.judge()
}

// addAll adds documents to an index; those whose id was there before are told.
func addAll(ctx context.Context, b *plagiarism.IndexBuilder, paths []string, cfg plagiarism.ReadConfig, bad *badDocuments) error {
	for d, err := range plagiarism.Documents(paths, cfg) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		err = b.Add(d.ID, d.Text)
		var twice *plagiarism.DuplicateError
		if errors.As(err, &twice) {
			bad.tell(fmt.Errorf("%s: %w: the second one is left out", d.File, err))
		} else if err != nil {
			return err
		}
	}
	return nil
}

// badDocuments tells of documents that cannot be used, and counts them.
type badDocuments struct {
	con *console
	n   int64
}

func (b *badDocuments) tell(err error) {
	if b.n++; b.n <= shownErrors {
		fmt.Fprintf(b.con.err, "chaffinch: %v\n", err)
	}
}

// judge is the error of a run that left documents out.
func (b *badDocuments) judge() error {
	if b.n == 0 {
		return nil
	}
	return errNo{count(b.n, "document or piece of input") + " left out; all others are done"}
}
