package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"chaffinch/lab/eval/lm"
	"chaffinch/lab/eval/result"
	"chaffinch/lab/eval/texts"
)

type evalLMCmd struct {
	Set      []string `default:"dragnet,l3s-gn1,canola,daniel,zh-news" placeholder:"NAME" help:"Sets of pages with gold text, as for eval clean; all for every set. Default: ${default}."`
	Data     string   `default:"../shared/data" placeholder:"DIR" help:"The data folder; sets are in its folder eval. Default: ${default}."`
	Order    int      `range:"[1,6]" default:"3" placeholder:"N" help:"Length of the longest n-grams. Default: ${default}."`
	Test     int      `range:"[2,)" default:"5" placeholder:"N" help:"Hold out one page (or site) in N for the test. Default: ${default}."`
	By       string   `default:"page" enum:"page,site" help:"Unit held out for the test: page, or site (all pages of a registrable domain, so that no site is in both training and test). Default: ${default}."`
	MinPages int      `default:"30" placeholder:"N" help:"Minimum number of test pages per language. Default: ${default}."`
	Seed     uint64   `default:"1" placeholder:"N" help:"Seed of the order of training. Default: ${default}."`
	Jobs     int      `short:"j" placeholder:"N" help:"Pages cleaned and models trained in parallel. Default: one per core. Does not change the figures."`
	Save     string   `placeholder:"FILE" help:"Write the tables as JSON, for eval report."`
	systemFlags
	floorFlags
}

// Help is the long help.
func (evalLMCmd) Help() string {
	return `For each language an n-gram model is trained on the text that each system keeps, and tested on the gold text of other pages.
"whole" is the model of all kept text; "equal" is trained on the same number of tokens for all systems (the smallest of them).
Perplexity is per token, bits are per byte of the test text; smaller is better. Unknown words are spelled by a model of byte pairs.`
}

// Run trains and tests.
func (c *evalLMCmd) Run(ctx context.Context, con *console) error {
	if err := c.read(); err != nil {
		return err
	}
	sets, err := openSets(c.Set, c.Data)
	if err != nil {
		return err
	}
	pages := texts.FromSets(sets)
	if c.By == "site" {
		if err := pages.FindSites(ctx, c.Jobs); err != nil {
			return err
		}
	}
	cfg := lm.Default
	cfg.Order, cfg.Test, cfg.BySite, cfg.MinPages, cfg.Seed, cfg.Workers = c.Order, c.Test, c.By == "site", c.MinPages, c.Seed, c.Jobs
	systems, err := c.systems(ctx, pages, c.Jobs)
	if err != nil {
		return err
	}
	results, err := lm.Measure(ctx, pages, systems, cfg)
	if err != nil {
		return err
	}
	if len(results) == 0 {
		return fmt.Errorf("%s: no language has %d test pages: use more sets, a smaller --test or a smaller --min-pages", pages.Name, cfg.MinPages)
	}
	var tables []*result.Table
	for group := range slices.Chunk(results, len(systems)) { // the systems of one language
		t := &result.Table{Task: "lm", Data: "language " + group[0].Lang, Columns: []result.Column{
			{Name: "tokens", Digits: 0, Neutral: true}, {Name: "unknown", Unit: "%", Digits: 2, Less: true}, {Name: "perplexity, whole", Digits: 1, Less: true}, {Name: "bits per byte, whole", Digits: 4, Less: true},
			{Name: "equal tokens", Digits: 0, Neutral: true}, {Name: "perplexity, equal", Digits: 1, Less: true}, {Name: "bits per byte, equal", Digits: 4, Less: true}}}
		for _, r := range group {
			row := result.Row{System: r.System}
			for _, v := range []float64{float64(r.Whole.Tokens), r.Whole.Unknown, r.Whole.PerToken, r.Whole.BitsPerByte, float64(r.Equal.Tokens), r.Equal.PerToken, r.Equal.BitsPerByte} {
				row.Values = append(row.Values, result.Figure{Value: v})
			}
			t.Rows = append(t.Rows, row)
		}
		tables = append(tables, t)
	}
	if len(tables) > 1 {
		tables = append(tables, meanOfLanguages(tables))
	}
	if err := c.compare(lm.FloorName(sets), pages.Data, lm.Floored(results)); err != nil {
		return err
	}
	if err := writeTables(con.out, tables, c.Save); err != nil {
		return err
	}
	return c.judge(con.err)
}

// meanOfLanguages is the mean of tables with the same rows; of perplexities the
// geometric one.
func meanOfLanguages(tables []*result.Table) *result.Table {
	t := &result.Table{Task: "lm", Data: "mean of languages", Columns: tables[0].Columns}
	for k, r := range tables[0].Rows {
		row := result.Row{System: r.System}
		for i := range t.Columns {
			sum, logs := 0.0, 0.0
			for _, one := range tables {
				sum += one.Rows[k].Values[i].Value
				logs += math.Log(one.Rows[k].Values[i].Value)
			}
			mean := sum / float64(len(tables))
			if strings.HasPrefix(t.Columns[i].Name, "perplexity") {
				mean = math.Exp(logs / float64(len(tables)))
			}
			row.Values = append(row.Values, result.Figure{Value: mean})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
