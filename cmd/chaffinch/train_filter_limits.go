package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"chaffinch/filter/job"
	"chaffinch/internal/settings"
	"chaffinch/lab/train/limits"
	"chaffinch/page"
	"chaffinch/pipeline"
)

type trainFilterLimitsCmd struct {
	Input   []string `arg:"" help:"Good text: files and folders of a collection (JSONL, plain text, verticals); - is standard input."`
	Out     string   `short:"o" required:"" placeholder:"FILE" help:"Rule file to write (.json)."`
	Rules   []string `short:"r" default:"fineweb2" placeholder:"NAME|FILE" help:"Rules whose limits are learned: ${filterRules}, or rule files. Default: fineweb2."`
	Keep    float64  `range:"[0,1]" placeholder:"SHARE" help:"Share of good documents that each limit keeps, such as 0.98. Default: 0.99."`
	Words   int      `name:"stop-words" default:"20" placeholder:"N" help:"Length of the stop list (most frequent words); 0 for none. Default: ${default}."`
	MinDocs int      `placeholder:"N" help:"Minimum number of documents per language. Default: 100."`
	Lang    string   `short:"l" placeholder:"TAG" help:"Language of all documents. Default: field or attribute lang of each document, else detected."`
	collectionInput
	Quiet bool `short:"q" help:"No progress."`
}

// Help is the long text of --help.
func (trainFilterLimitsCmd) Help() string {
	return `Published limits for English drop much good text of other languages. This command derives
limits from good text: for each score, the value that nearly all documents meet. One document
in five is held out to measure how many documents all limits together keep.

Examples:
  chaffinch train filter-limits good.jsonl -o limits.json
  chaffinch train filter-limits novels/ --lang de --keep 0.98 -o de.json
  chaffinch filter corpus.jsonl -o kept.jsonl --rules limits.json`
}

// Run learns limits and prints a line for each language.
func (c *trainFilterLimitsCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Out); err != nil {
		return err
	}
	set, err := readRules("--rules", c.Rules, nil, nil, nil)
	if err != nil {
		return err
	}
	cfg := limits.Config{Keep: c.Keep, StopWords: c.Words, MinDocs: c.MinDocs}
	bar := startBars(con, c.Quiet)
	j := job.Config{Job: pipeline.Job{Inputs: c.Input, Stdin: con.in, OnProgress: bar.as("limits")}, Input: c.config(), Lang: c.Lang}
	bad := 0
	j.OnError = func(e *page.Error) {
		if bad++; bad <= shownErrors {
			fmt.Fprintf(bar.errors, "chaffinch: %v\n", e)
		}
	}
	rules, told, err := limits.TrainFrom(ctx, cfg, set.Config(), j)
	bar.stop()
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped: nothing written")
	}
	if err != nil {
		return err
	}
	learned := 0
	for _, t := range told {
		if _, ok := rules.Languages[t.Lang]; !ok {
			fmt.Fprintf(con.out, "%-8s skipped: only %s\n", t.Lang, count(int64(t.Train), "document"))
			continue
		}
		learned++
		fmt.Fprintf(con.out, "%-8s learned from %s; of %s held out all limits keep %d (%.1f %%)\n", t.Lang, count(int64(t.Train), "document"), number(int64(t.Test)), t.Kept, 100*float64(t.Kept)/float64(max(1, t.Test)))
	}
	if learned == 0 {
		return errNo{"no language has enough documents: add text or lower --min-docs"}
	}
	b, err := settings.Format(rules)
	if err != nil {
		return err
	}
	return writeRaw(c.Out, con, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s\n", b)
		return err
	})
}
