package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"

	"chaffinch/lab/gold"
)

type evalCmd struct {
	Docs []string `arg:"" placeholder:"PATH" help:"Labelled lines: .jsonl or .tsv files, folders or archives of them."`
	scorerFlags
	Part string `default:"all" enum:"all,train,dev,test" help:"Part of the documents to score, as the command train splits them. Default: ${default}."`
	splitFlags
	Predictions string `placeholder:"FILE" help:"Write the probabilities, one JSON object per document, for \"chaffinch eval lines --predictions FILE\"."`
}

// Help is the long text of --help.
func (evalCmd) Help() string {
	return `Prints accuracy and F1 of both classes by language, in percent. The evaluation with cross-validation, floors and figures is "chaffinch eval lines", which takes what --predictions writes.`
}

// counts counts lines by gold label and predicted label.
type counts struct{ hit, false1, false0, reject int }

func (c *counts) add(text, said bool) {
	switch {
	case text && said:
		c.hit++
	case said:
		c.false1++
	case text:
		c.false0++
	default:
		c.reject++
	}
}

func percent(a, b int) float64 { return 100 * float64(a) / float64(max(1, b)) }

// Run scores the predictions and prints a row for each language.
func (c *evalCmd) Run(ctx context.Context, con *console) error {
	docs, err := readDocs(ctx, c.Docs)
	if err != nil {
		return err
	}
	train, dev, test := parts(docs, c.Seed, c.Resplit)
	if part, ok := map[string][]*gold.LineDoc{"train": train, "dev": dev, "test": test}[c.Part]; ok {
		docs = part
	}
	s, done, err := c.open()
	if err != nil {
		return err
	}
	defer done()
	lines := make([][]string, len(docs))
	for i, d := range docs {
		lines[i] = d.Lines
	}
	scores, err := s.ScoreDocs(ctx, lines, c.Cache)
	if err != nil {
		return err
	}
	if c.Predictions != "" {
		if err := writePredictions(c.Predictions, docs, scores); err != nil {
			return err
		}
	}
	byLang := map[string]*counts{"all": {}}
	for i, d := range docs {
		if byLang[d.Lang] == nil {
			byLang[d.Lang] = &counts{}
		}
		for j, text := range d.Labels {
			said := float64(scores[i][j]) >= c.Threshold
			byLang[d.Lang].add(text, said)
			byLang["all"].add(text, said)
		}
	}
	var langs []string
	for l := range byLang {
		if l != "all" {
			langs = append(langs, l)
		}
	}
	slices.Sort(langs)
	w := tabwriter.NewWriter(con.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "language\tlines\taccuracy\tF1 text\tF1 boilerplate\t")
	for _, l := range append(langs, "all") {
		n := byLang[l]
		all := n.hit + n.reject + n.false0 + n.false1
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%.2f\t%.2f\t\n", l, all, percent(n.hit+n.reject, all),
			percent(2*n.hit, 2*n.hit+n.false0+n.false1), percent(2*n.reject, 2*n.reject+n.false0+n.false1))
	}
	return w.Flush()
}

// writePredictions writes {"id", "system", "scores"} for each document.
func writePredictions(path string, docs []*gold.LineDoc, scores [][]float32) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write predictions: %w", err)
	}
	out := json.NewEncoder(f)
	for i, d := range docs {
		if err == nil {
			err = out.Encode(struct {
				ID     string    `json:"id"`
				System string    `json:"system"`
				Scores []float32 `json:"scores"`
			}{d.ID, "transformer", scores[i]})
		}
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write predictions: %w", err)
	}
	return nil
}
