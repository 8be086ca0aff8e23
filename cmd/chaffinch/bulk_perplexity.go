package main

import (
	"context"
	"encoding/json"

	"chaffinch/clean/perplexity"
)

type bulkPerplexityCmd struct {
	Input []string `arg:"" optional:"" help:"Files and folders of text or pages, as for clean; - or nothing is standard input."`

	OutputDir string `short:"o" placeholder:"DIR" help:"Folder that gets one text file per page. Default: standard output."`
	pageFormatFlag
	scoring
	PerplLimit float64 `placeholder:"X" help:"Perplexity at and above which a sentence is removed. Default: the threshold in the model card, which keeps 95 % of clean sentences (1491 for en); for models of PyPlexity 8000, as in the paper."`
	Unit       string  `default:"sentence" enum:"sentence,block,page" help:"Unit that is kept or removed as a whole: ${enum}. Default: ${default}."`
	NWorkers   int     `short:"j" placeholder:"N" help:"Pages processed in parallel. Default: one per processor."`
	Quiet      bool    `short:"q" help:"No progress, no summary; errors are still shown."`
}

// Help is the long text of --help.
func (bulkPerplexityCmd) Help() string {
	return `Removes all sentences whose perplexity is at or above the threshold, as in the paper:
each sentence is judged separately. "chaffinch clean" also considers links and the
surrounding text, and is more accurate on web pages.`
}

// Run writes the text of the inputs without improbable sentences.
func (c *bulkPerplexityCmd) Run(ctx context.Context, con *console) error {
	cfg := perplexity.Paper
	cfg.Model, cfg.Compat, cfg.Limit, cfg.Unit = c.Model, c.Compat, c.PerplLimit, perplexity.Unit(c.Unit)
	cfg.Keep = 0.95
	b, err := json.Marshal(cfg)
	if err != nil {
		return err
	}
	do := cleanCmd{Input: c.Input, pageFormatFlag: c.pageFormatFlag, Out: folder(c.OutputDir), Method: "perplexity", TextField: "text", Hidden: "drop", Config: string(b), Jobs: c.NWorkers, Quiet: c.Quiet, Force: true}
	return do.Run(ctx, con)
}
