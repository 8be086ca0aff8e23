package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"chaffinch/filter/job"
	"chaffinch/page"
	"chaffinch/pipeline"
)

type filterSitesCmd struct {
	Input        []string `arg:"" help:"Files and folders of a collection (JSONL, plain text, verticals) whose documents have addresses; - is standard input."`
	Out          string   `short:"o" placeholder:"FILE" help:"Table to write (.tsv). Default: standard output."`
	Rules        []string `short:"r" required:"" placeholder:"NAME|FILE" help:"Rules that make documents suspicious: ${filterRules}, or rule files (.json, docs/guides/filter.md)."`
	NontextModel []string `placeholder:"FILE" help:"Model of the rules nontext, written by chaffinch train nontext; takes precedence over the embedded ones. Repeatable."`
	Lang         string   `short:"l" placeholder:"TAG" help:"Language of all documents. Default: field or attribute lang of each document, else detected."`
	collectionInput
	Quiet bool `short:"q" help:"No progress."`
}

// Help is the long text of --help.
func (filterSitesCmd) Help() string {
	return `Lists hosts by suspicion times words; suspicion is the share of documents that the rules drop.
Write yes or no into the column keep of the table; filter --sites drops the sites marked "no".

Examples:
  chaffinch filter sites corpus.jsonl -o sites.tsv --rules fineweb_corpus
  chaffinch filter corpus.jsonl -o good.jsonl --rules fineweb_corpus --sites sites.tsv`
}

// Run writes the table.
func (c *filterSitesCmd) Run(ctx context.Context, con *console) error {
	set, err := readRules("--rules", c.Rules, c.NontextModel, nil, nil)
	if err != nil {
		return err
	}
	bar := startBars(con, c.Quiet)
	bad := 0
	j := job.Config{Job: pipeline.Job{Inputs: c.Input, Stdin: con.in, OnProgress: bar.as("sites")}, Input: c.config(), Set: set, Lang: c.Lang}
	j.OnError = func(e *page.Error) {
		if bad++; bad <= shownErrors {
			fmt.Fprintf(bar.errors, "chaffinch: %v\n", e)
		}
	}
	sites, err := job.Sites(ctx, j)
	bar.stop()
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped: nothing written")
	}
	if err != nil {
		return err
	}
	if err := writeRaw(c.Out, con, func(w io.Writer) error { return job.WriteSites(w, sites) }); err != nil {
		return err
	}
	if bad > 0 {
		return errNo{fmt.Sprintf("%s could not be read as documents", count(int64(bad), "piece"))}
	}
	return nil
}
