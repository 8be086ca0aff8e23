package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
	"chaffinch/format/vertical"
	"chaffinch/internal/forecast"
	"chaffinch/internal/packed"
	"chaffinch/internal/readers"
	"chaffinch/internal/report"
	"chaffinch/internal/settings"
	"chaffinch/page"
)

type corpusIndexCmd struct {
	Files    []string `arg:"" optional:"" help:"Verticals, plain or compressed (.gz, .zst), concatenated in this order. Default, and -: standard input."`
	Out      string   `short:"o" required:"" placeholder:"DIR" help:"Folder of the index; an existing index is replaced when the new one is complete."`
	Columns  []string `short:"c" default:"word" help:"Names of the columns of a token, such as word,lemma,tag (${default}). The first column is the default attribute of queries."`
	Lower    string   `default:"lc" placeholder:"NAME" help:"Name of the additional attribute with the first column in lower case; empty: no such attribute (${default})."`
	Document string   `default:"doc" help:"Structure whose boundaries matches do not cross (${default})."`
	verticalFormatFlag
	Grammar string `short:"g" placeholder:"FILE" help:"Sketch grammar of the word sketches: a file, an embedded grammar (${grammars}), or none. Default: the embedded grammar of the corpus's language, if the columns lemma, pos, tag and feats have universal parts of speech. Otherwise none."`
	Strict  bool   `help:"Stop at the first error in a vertical instead of repairing it."`
	Memory  string `default:"256MiB" help:"Memory limit; the rest is sorted on disk, in DIR (${default}). Does not change the index."`
	planFlag
	Quiet bool `short:"q" help:"No progress, no repairs and no summary."`
}

// Run makes the index.
func (c *corpusIndexCmd) Run(ctx context.Context, con *console) (err error) {
	cfg := corpus.DefaultBuild
	cfg.Columns, cfg.Lower, cfg.Document, cfg.Strict, cfg.Tool = c.Columns, c.Lower, c.Document, c.Strict, "chaffinch "+version
	memory, err := settings.ParseSize(c.Memory)
	if err != nil {
		return fmt.Errorf("--memory %w", err)
	}
	if c.Plan {
		return c.estimate(ctx, con, memory)
	}
	cfg.Memory = memory / 2 // the garbage collector needs the other half
	debug.SetMemoryLimit(memory)
	told := 0
	cfg.OnRepair = func(_ vertical.Repair, e *page.Error) {
		if told++; told <= shownErrors && !c.Quiet {
			fmt.Fprintf(con.err, "chaffinch: %v\n", e)
		}
	}
	bad := faults{con: con}
	cfg.OnFailed = bad.report
	if c.Grammar != "" && c.Grammar != sketch.None { // errors of a grammar come first
		if _, err := sketch.Load(c.Grammar); err != nil {
			return fmt.Errorf("--grammar: %w", err)
		}
	}
	b, err := corpus.NewBuilder(c.Out, cfg)
	if err != nil {
		return err
	}
	start := time.Now()
	show, end := func(int64) {}, func() {}
	if !c.Quiet && isTerminal(con.err) {
		show, end = readMeter(rawErr(con), start)
	}
	meter := &readers.Counter{OnRead: show}
	for _, f := range c.inputs() {
		if err := c.add(ctx, con, b, f, meter); err != nil {
			end()
			return errors.Join(err, b.Close())
		}
	}
	end()
	if b.Size() == 0 {
		return errors.Join(errors.New("no tokens in the input: is it a vertical?"), b.Close())
	}
	rep, err := b.Finish()
	if err != nil {
		return err
	}
	grammar, sketches, err := sketch.Update(ctx, c.Out, c.Grammar, sketch.BuildConfig{Memory: memory / 2, Tool: cfg.Tool})
	if err != nil {
		return fmt.Errorf("the index is complete, without word sketches: %w", err)
	}
	left := bad.judge("document", ", not in the index")
	if c.Quiet {
		return left
	}
	if told > shownErrors {
		fmt.Fprintf(con.err, "chaffinch: and %d more repairs\n", told-shownErrors)
	}
	printSpeed(con, time.Since(start), meter.N)
	if err := c.report(con.out, rep); err != nil {
		return err
	}
	if grammar != "" {
		if err := reportSketches(con.out, grammar, sketches); err != nil {
			return err
		}
	}
	return left
}

// estimate prints the predicted cost.
func (c *corpusIndexCmd) estimate(ctx context.Context, con *console, memory int64) error {
	return estimate(ctx, con, "corpus index", forecast.Config{
		Inputs: c.inputs(), End: "</" + c.Document + ">", Memory: memory, MinMemory: 1 << 20, Vocabulary: true,
		Do: func(ctx context.Context, inputs []string, memory int64, out string) error {
			at := *c
			at.Plan, at.Quiet, at.Files, at.Memory, at.Out = false, true, inputs, fmt.Sprint(memory), out
			return at.Run(ctx, silent())
		},
	})
}

func (c *corpusIndexCmd) inputs() []string {
	if len(c.Files) == 0 {
		return []string{"-"}
	}
	return c.Files
}

// add reads one file into b.
func (c *corpusIndexCmd) add(ctx context.Context, con *console, b *corpus.Builder, name string, meter *readers.Counter) error {
	var in io.Reader = con.in
	if name == "-" {
		name = "standard input"
	} else {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return fmt.Errorf("%s: a folder, wanted a vertical: chaffinch clean -f vertical %s -o corpus.vert writes one from pages", name, name)
		}
		in = f
	}
	meter.R = in
	p, err := packed.NewReader(meter, packed.Default)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer p.Close()
	if err := aVertical.as(c.InputFormat).check(p, name, con); err != nil {
		return err
	}
	return b.Add(ctx, name, p)
}

// report prints the sizes and repairs of the index.
func (c *corpusIndexCmd) report(w io.Writer, rep corpus.BuildReport) error {
	fmt.Fprintf(w, "%s: %s, %s, %.2f bytes per token\n",
		c.Out, count(rep.Tokens, "token"), report.Size(rep.Bytes), float64(rep.Bytes)/float64(max(rep.Tokens, 1)))
	if s := rep.Read.String(); s != "" {
		fmt.Fprintf(w, "repaired: %s\n", s)
	}
	var parts []string
	for _, n := range rep.Structs {
		parts = append(parts, fmt.Sprintf("%s <%s>", number(n.Count), n.Name))
	}
	for _, n := range rep.Values {
		parts = append(parts, fmt.Sprintf("%s of %s", count(n.Count, "different value"), n.Name))
	}
	_, err := fmt.Fprintln(w, strings.Join(parts, ", "))
	if c.Document != corpus.DefaultBuild.Document && !slices.ContainsFunc(rep.Structs, func(n corpus.Count) bool { return n.Name == c.Document }) {
		fmt.Fprintf(w, "no <%s> in the corpus: matches may cross documents\n", c.Document)
	}
	return err
}
