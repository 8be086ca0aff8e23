package main

import (
	"context"
	"fmt"
	"path/filepath"

	"chaffinch/corpus"
)

type corpusKeywordsCmd struct {
	Focus     string `arg:"" help:"Folder of the index of the focus corpus."`
	Reference string `arg:"" help:"Folder of the index of the reference corpus."`

	listFlags
	partFlags
	RefWhere  string  `name:"reference-where" placeholder:"CONDITION" help:"Condition for the reference corpus, which may be another part of the same index."`
	Attr      string  `short:"a" placeholder:"NAME" help:"Attribute of tokens. Default: the first one of the index."`
	Fold      bool    `short:"i" help:"Ignore case."`
	Pattern   string  `short:"p" placeholder:"REGEX" help:"Only words that match the whole expression."`
	Words     bool    `short:"w" help:"Only tokens with a letter (no numbers or punctuation)."`
	NGram     int     `name:"ngram" short:"N" default:"1" placeholder:"N" help:"Length of n-grams in tokens, 1 to 6. Default: ${default}."`
	Within    string  `placeholder:"NAME" help:"Structure whose boundaries n-grams do not cross; - for none. Default: s, else p, else doc."`
	MinFreq   int64   `was:"min" default:"1" placeholder:"N" help:"Minimum frequency in the focus corpus. Default: ${default}."`
	MaxFreq   int64   `was:"max" placeholder:"N" help:"Maximum frequency in the focus corpus."`
	Smoothing float64 `range:"(0,)" default:"1" placeholder:"N" help:"Smoothing parameter n of simple maths, in hits per million: 1 favours rare words, 100 common ones. Default: ${default}."`
	Sort      string  `default:"simple" enum:"simple,logl,chi2,din" help:"Measure to sort by: ${enum}. Default: ${default}."`
}

// Help is the long text of --help.
func (corpusKeywordsCmd) Help() string {
	return `Lists words that are more frequent in one corpus than in another.

Examples:
  chaffinch corpus keywords blogs-idx news-idx -w -i
  chaffinch corpus keywords blogs-idx news-idx --smoothing 100 --sort logl
  chaffinch corpus keywords blogs-idx news-idx --ngram 2 -w -i --min-freq 10
  chaffinch corpus keywords blogs-idx news-idx -w -i -f html >keywords.html
  chaffinch corpus keywords idx idx --where 'doc.year>=2020' --reference-where 'doc.year<2020' -w

Simple maths is (hits per million in the focus + n) / (hits per million in the reference + n): the ratio of frequencies, smoothed. Log-likelihood and chi-squared measure the significance of the difference; they are negative for words that the reference uses more.`
}

// Run prints the table.
func (c *corpusKeywordsCmd) Run(ctx context.Context, con *console) error {
	focus, shut, err := c.open(ctx, c.Focus)
	if err != nil {
		return err
	}
	defer shut()
	reference, shut, err := partFlags{c.RefWhere}.open(ctx, c.Reference)
	if err != nil {
		return err
	}
	defer shut()
	k, err := corpus.FindKeywords(ctx, focus, reference, corpus.KeywordConfig{
		Attr: c.Attr, Fold: c.Fold, Pattern: c.Pattern, Words: c.Words, NGram: c.NGram, Within: c.Within,
		MinFreq: c.MinFreq, MaxFreq: c.MaxFreq, Smoothing: c.Smoothing, Sort: c.Sort, Limit: c.Limit,
	})
	if err != nil {
		return err
	}
	l := &list{head: []string{"word", "freq", "reference", "per million", "per million there"}}
	l.about = fmt.Sprintf("%s against %s; %s different", inTokens(focus), inTokens(reference), number(k.Types))
	for _, m := range corpus.KeynessMeasures {
		if c.Format == "tsv" {
			l.head = append(l.head, m.Key)
		} else {
			l.head = append(l.head, m.Name)
		}
	}
	for _, r := range k.Rows {
		row := []any{r.Word, r.Freq, r.RefFreq, r.PerMillion, r.RefPerMillion}
		for _, s := range r.Scores {
			row = append(row, s)
		}
		l.rows = append(l.rows, row)
	}
	l.view = corpus.ListView{Kind: "keywords", Title: filepath.Base(c.Focus) + " against " + filepath.Base(c.Reference), Bar: 5 + k.Sort, Pictures: k.Pictures()}
	return c.write(con.out, l, k)
}
