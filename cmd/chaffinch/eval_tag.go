package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"chaffinch/format/conllu"
	"chaffinch/internal/archive"
	evaltag "chaffinch/lab/eval/tag"
	"chaffinch/model"
	"chaffinch/text/tag"
)

type evalTagCmd struct {
	Files  []string `arg:"" name:"file" help:"A model file, and the treebanks (.conllu) to score it on. More models with their treebanks may follow."`
	Tagged string   `placeholder:"FILE" help:"Also write the text with our tokens and tags (.conllu); with one treebank."`
	Save   string   `placeholder:"FILE" help:"Write the tables as JSON, for eval report."`
}

// Help is the long text of --help.
func (evalTagCmd) Help() string {
	return `Scores taggers by the measures of CoNLL 2018: F1 on the words of a treebank, and on its text with our tokens and sentences.

Examples:
  chaffinch eval tag de.chf de_gsd-ud-dev.conllu
  chaffinch eval tag de.chf de_gsd-ud-dev.conllu en.chf en_ewt-ud-dev.conllu`
}

// Run scores, and prints the tables.
func (c *evalTagCmd) Run(ctx context.Context, con *console) error {
	if err := canWrite(c.Tagged, c.Save); err != nil {
		return err
	}
	var m *tag.Model
	var results []*evaltag.Result
	for _, name := range c.Files {
		if path.Ext(name) != ".conllu" {
			b, err := archive.ReadFile(name)
			if err != nil {
				return err
			}
			if model.Is(b) {
				if m, err = tag.Parse(name, b); err != nil {
					return err
				}
				continue
			}
		}
		if m == nil {
			return fmt.Errorf("%s: not a model file: wanted a model before the treebanks", name)
		}
		banks, err := readTreebanks(ctx, []string{name}, con, io.Discard)
		if err != nil {
			return err
		}
		for _, b := range banks {
			r, err := evaltag.Run(m, path.Base(b.name), b.list)
			if err != nil {
				return err
			}
			results = append(results, r)
		}
	}
	if len(results) == 0 {
		return errors.New("no treebank: wanted a model file and treebanks (.conllu)")
	}
	for _, r := range results {
		fmt.Fprintf(con.err, "%s: %s words/s on one core\n", r.Name, number(int64(r.Speed())))
	}
	if c.Tagged != "" {
		if len(results) > 1 {
			return fmt.Errorf("--tagged: %d treebanks, wanted one", len(results))
		}
		if err := writeFile(c.Tagged, func(w io.Writer) error { return writeConllu(w, results[0].Tagged) }); err != nil {
			return err
		}
	}
	return writeTables(con.out, evaltag.Tables(results), c.Save)
}

// writeConllu writes sentences in CoNLL-U.
func writeConllu(w io.Writer, list []*conllu.Sentence) error {
	out := conllu.NewWriter(w)
	for _, s := range list {
		if err := out.Write(s); err != nil {
			return err
		}
	}
	return out.Flush()
}
