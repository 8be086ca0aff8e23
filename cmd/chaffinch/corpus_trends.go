package main

import (
	"context"
	"fmt"
	"path/filepath"

	"chaffinch/corpus"
)

type corpusTrendsCmd struct {
	Index string `arg:"" help:"Folder of an index, or file NAME.shards that lists shards."`

	listFlags
	partFlags
	By      string  `short:"b" default:"doc.year" placeholder:"STRUCT.ATTR" help:"Attribute with the time. Values count by the number at their start: 2019-05-31 is 2019. Default: ${default}."`
	Attr    string  `short:"a" placeholder:"NAME" help:"Attribute of tokens, such as lemma. Default: the first one of the index."`
	Fold    bool    `short:"i" help:"Ignore case."`
	Pattern string  `short:"p" placeholder:"REGEX" help:"Only words that match the whole expression."`
	Words   bool    `short:"w" help:"Only tokens with a letter (no numbers or punctuation)."`
	MinFreq int64   `range:"[1,)" default:"20" placeholder:"N" help:"Minimum frequency in all epochs. Default: ${default}."`
	MaxQ    float64 `name:"max-q" range:"(0,1]" default:"1" placeholder:"Q" help:"Maximum q-value: the share of chance findings among the listed words. Default: ${default} (all words)."`
	Sort    string  `default:"p" enum:"p,change,slope,word" help:"Order: ${enum}. Default: ${default}; equal p-values by change."`
}

// Help is the long text of --help.
func (corpusTrendsCmd) Help() string {
	return `Lists words whose frequency rises or falls over time.

Examples:
  chaffinch corpus trends idx -a lemma -w
  chaffinch corpus trends idx --by doc.date -w -i --max-q 0.05
  chaffinch corpus trends idx -w --sort change --min-freq 100 -f html >trends.html   # with charts
  chaffinch corpus trends idx --where 'doc.lang="en"' -w -f tsv >trends.tsv

The slope is the median change of hits per million tokens per unit of time (Theil-Sen), change is the slope relative to the mean frequency. p is the p-value of the Mann-Kendall test, q is p adjusted for the number of words (Benjamini-Hochberg). The test needs at least 5 epochs to find anything below p = 0.05.`
}

// Run prints the table.
func (c *corpusTrendsCmd) Run(ctx context.Context, con *console) error {
	x, shut, err := c.source(ctx, c.Index)
	if err != nil {
		return err
	}
	defer shut()
	t, err := x.Trends(ctx, corpus.TrendConfig{
		By: c.By, Attr: c.Attr, Fold: c.Fold, Pattern: c.Pattern, Words: c.Words, MinFreq: c.MinFreq, MaxQ: c.MaxQ, Sort: c.Sort, Limit: c.Limit,
	})
	if err != nil {
		return err
	}
	last := t.Epochs[len(t.Epochs)-1]
	l := &list{head: []string{"word", "freq", "slope", "change", "p", "q"}}
	l.about = fmt.Sprintf("%s in %s of %s, %v to %v; %s tested", count(t.Tokens, "token"), count(int64(len(t.Epochs)), "epoch"), t.By, t.Epochs[0].Time, last.Time, count(t.Tested, "word"))
	if t.Undated > 0 {
		l.about += fmt.Sprintf("; %s without a time left out", count(t.Undated, "token"))
	}
	text := c.Format == "text"
	if text {
		l.head[3] = "change %"
		l.head = append(l.head, "by epoch")
	}
	if c.Format == "tsv" {
		for _, e := range t.Epochs {
			l.head = append(l.head, fmt.Sprint(e.Time))
		}
	}
	for _, r := range t.Rows {
		row := []any{r.Word, r.Freq, r.Slope, r.Change, r.P, r.Q}
		switch c.Format {
		case "text":
			row[3], row[4], row[5] = 100*r.Change, exponent(r.P), exponent(r.Q)
			row = append(row, r.Spark())
		case "tsv":
			for _, y := range r.PerMillion {
				row = append(row, y)
			}
		}
		l.rows = append(l.rows, row)
	}
	l.view = corpus.ListView{Kind: "trends", Title: filepath.Base(c.Index) + " by " + c.By, Bar: 1, Pictures: t.Pictures()}
	return c.write(con.out, l, t)
}

// exponent formats a probability with two digits.
func exponent(p float64) string { return fmt.Sprintf("%.2g", p) }
