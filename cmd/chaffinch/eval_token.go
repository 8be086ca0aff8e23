package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"chaffinch/lab/eval/segment"
	words "chaffinch/text/token/segment"
)

type evalTokenCmd struct {
	Input []string `arg:"" optional:"" help:"Files, folders or tar archives of texts with one sentence per line (deu.txt; joined in tens) and of treebanks (de_gsd-ud-dev.conllu). Default: text/ntrex.tar.zst of --data."`
	Data  string   `default:"../shared/data" help:"Folder of the data sets. Default: ${default}."`
	Langs []string `placeholder:"TAG" help:"Only these languages. Default: languages with rules; for treebanks also languages with a segmenter."`
	All   bool     `help:"All languages, including languages without rules."`
	segmenterFlag
	floorFlags
}

// Run prints a line for each file: ours beside the boundaries of UAX 29.
func (c *evalTokenCmd) Run(ctx context.Context, con *console) error {
	if err := c.read(); err != nil {
		return err
	}
	models, err := c.models()
	if err != nil {
		return err
	}
	inputs := c.Input
	if len(inputs) == 0 {
		inputs = []string{filepath.Join(c.Data, "text", "ntrex.tar.zst")}
	}
	t := tabwriter.NewWriter(con.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "file\trules\ttokens F\tUAX 29\tsentences P\tR\tF\tUAX 29\t")
	files := 0
	for _, in := range inputs {
		n, err := c.set(ctx, in, models, t)
		if err != nil {
			return err
		}
		files += n
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if files == 0 {
		return fmt.Errorf("%s: no file in the wanted languages: --all includes languages without rules", strings.Join(inputs, ", "))
	}
	return c.judge(con.err)
}

// set scores the files of one input.
func (c *evalTokenCmd) set(ctx context.Context, in string, models []*words.Model, t io.Writer) (files int, err error) {
	results, data, err := segment.Set(ctx, in, models, c.Langs, c.All)
	if err != nil {
		return 0, err
	}
	for _, r := range results {
		tokens, annexTokens := "-", "-"
		if r.HasTokens {
			tokens, annexTokens = fmt.Sprintf("%.2f", 100*r.Ours.Tokens.F()), fmt.Sprintf("%.2f", 100*r.Annex.Tokens.F())
		}
		p, rec := r.Ours.Sentences.PR()
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t\n", r.Name, r.Rules, tokens, annexTokens, 100*p, 100*rec, 100*r.Ours.Sentences.F(), 100*r.Annex.Sentences.F())
	}
	set, _, _ := strings.Cut(filepath.Base(in), ".")
	return len(results), c.compare("token/"+set, data, segment.Floored(results))
}
