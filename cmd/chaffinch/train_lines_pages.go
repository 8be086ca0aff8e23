package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	evalclean "chaffinch/lab/eval/clean"
	"chaffinch/lab/gold"
)

// pageFlags make documents of labelled lines from pages with gold text.
type pageFlags struct {
	Pages      []string `placeholder:"SET[=N]" help:"Also train on pages with gold text: a set in the layout of lab/results/data.md, in the folder eval of --data or a path. Pages are converted to plain text; a line is text if half of its words occur in the gold text. N: number of pages. They are not used for evaluation."`
	PageData   string   `name:"data" default:"../shared/data" placeholder:"DIR" help:"The data folder of --pages. Default: ${default}."`
	PageText   string   `default:"blocks" enum:"blocks,breaks,wrapped" help:"Conversion of --pages to text: blocks (one block per line), breaks (line breaks too, as in WET files) or wrapped (78 characters per line). Default: ${default}."`
	PageWeight float64  `range:"(0,100]" default:"0.2" placeholder:"SHARE" help:"Weight of a document made from a page; a hand-labelled document has weight 1. Default: ${default}."`
	PageLines  int      `default:"300" placeholder:"N" help:"Skip pages of more than N lines; 0 for no limit. Default: ${default}."`
	SaveLines  string   `placeholder:"FILE" help:"Write the documents made from --pages: JSON lines if the name ends in .jsonl, else TSV. Without -o, nothing is trained."`
}

// fromPages makes the documents of --pages, lists them in the card and saves
// them where they are asked for.
func (c *trainLinesCmd) fromPages(ctx context.Context, con *console, card *linesCard) ([]*gold.LineDoc, error) {
	if len(c.Pages) == 0 {
		if c.SaveLines != "" {
			return nil, fmt.Errorf("--save-lines %s needs --pages SET", c.SaveLines)
		}
		return nil, nil
	}
	if !(c.PageWeight > 0 && c.PageWeight <= 100) {
		return nil, fmt.Errorf("--page-weight %v: wanted a number above 0, such as 0.2", c.PageWeight)
	}
	text, err := evalclean.NewAsText(c.PageText)
	if err != nil {
		return nil, err
	}
	cfg := gold.DefaultFromPages
	cfg.MostLines = c.PageLines
	var all []*gold.LineDoc
	for _, arg := range c.Pages {
		name, most, err := pageSet(arg)
		if err != nil {
			return nil, err
		}
		s, err := evalclean.Open(c.PageData, name)
		if err != nil {
			return nil, err
		}
		pages, _, err := evalclean.Collect(ctx, []*evalclean.Set{s}, "", gold.CollectConfig{Workers: c.Jobs}, text)
		if err != nil {
			return nil, err
		}
		docs, report := gold.FromPages(pages, cfg)
		fmt.Fprintf(con.out, "%s: %s\n", s.Name, report)
		if most >= 0 {
			docs = gold.SampleLineDocs(docs, most)
		}
		for _, d := range docs {
			d.Weight = c.PageWeight
		}
		sum, err := gold.SumLineDocs(docs)
		if err != nil {
			return nil, err
		}
		card.Data = append(card.Data, linesData{s.Name, len(docs), lineCount(docs), sum, c.PageWeight})
		all = append(all, docs...)
	}
	if c.SaveLines != "" {
		return all, saveLines(c.SaveLines, all)
	}
	return all, nil
}

// pageSet cuts SET or SET=N; most is -1 without N.
func pageSet(arg string) (name string, most int, err error) {
	name, n, ok := strings.Cut(arg, "=")
	if !ok {
		return arg, -1, nil
	}
	if most, err = strconv.Atoi(n); err != nil || most < 1 {
		return "", 0, fmt.Errorf("--pages %s: wanted SET or SET=N (number of pages), such as wcxb-dev=250", arg)
	}
	return name, most, nil
}

// saveLines writes documents to a file.
func saveLines(path string, docs []*gold.LineDoc) error {
	return writeFile(path, func(w io.Writer) error { return gold.WriteLineDocs(w, path, docs) })
}
