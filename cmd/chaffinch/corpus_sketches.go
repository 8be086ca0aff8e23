package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"chaffinch/corpus/sketch"
	"chaffinch/internal/report"
	"chaffinch/internal/settings"
)

type corpusSketchesCmd struct {
	Index   string `arg:"" help:"Folder of an index."`
	Grammar string `short:"g" placeholder:"FILE" help:"Sketch grammar: a file, or an embedded grammar: ${grammars}. Default: the embedded grammar of the corpus's language, otherwise ud."`
	Memory  string `default:"256MiB" help:"Memory limit; the rest is sorted on disk, in the folder of the index (${default}). Does not change the sketches."`
	Jobs    int    `short:"j" placeholder:"N" help:"Number of parallel searches. Default: one per processor core."`
	Quiet   bool   `short:"q" help:"No summary."`
}

// Help is the long text of --help.
func (corpusSketchesCmd) Help() string {
	return `Computes word sketches by a sketch grammar (docs/reference/sketch-grammar.md) and stores them in the folder of the index.

Examples:
  chaffinch corpus sketches idx                       # grammar of the language, over universal parts of speech
  chaffinch corpus sketches idx --grammar en
  chaffinch corpus sketches idx --grammar mine.txt

corpus index and build do this for corpora with the columns lemma, pos, tag and feats.`
}

// grammarsVar lists the embedded grammars.
func grammarsVar() string { return strings.Join(sketch.Embedded(), ", ") }

// Run computes the sketches.
func (c *corpusSketchesCmd) Run(ctx context.Context, con *console) error {
	memory, err := settings.ParseSize(c.Memory)
	if err != nil {
		return fmt.Errorf("--memory %w", err)
	}
	x, err := openIndex(c.Index)
	if err != nil {
		return err
	}
	defer x.Close()
	name := c.Grammar
	if name == "" {
		ok := false
		if name, ok = sketch.Default(x); !ok {
			return fmt.Errorf("%s: the embedded grammars need sentences <s> and the columns lemma, pos, tag and feats with universal parts of speech: tag the corpus with chaffinch vertical tag --builtin, or name a grammar with --grammar", c.Index)
		}
	}
	g, err := sketch.Load(name)
	if err != nil {
		return fmt.Errorf("--grammar: %w", err)
	}
	start := time.Now()
	rep, err := sketch.Build(ctx, x, g, sketch.BuildConfig{Memory: memory / 2, Workers: c.Jobs, Tool: "chaffinch " + version})
	if err != nil || c.Quiet {
		return err
	}
	printSpeed(con, time.Since(start), x.Bytes())
	return reportSketches(con.out, name, rep)
}

// reportSketches prints the sizes of computed sketches.
func reportSketches(w io.Writer, grammar string, rep sketch.BuildReport) error {
	_, err := fmt.Fprintf(w, "sketches by the grammar %s: %s of %s in %s, %s\n", grammar, count(rep.Records, "instance"), count(int64(len(rep.Relations)), "relation"), count(rep.Words, "word"), report.Size(int64(rep.Bytes)))
	return err
}
