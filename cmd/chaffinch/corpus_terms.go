package main

import (
	"context"
	"fmt"
	"path/filepath"

	"chaffinch/corpus"
)

type corpusTermsCmd struct {
	Index string `arg:"" help:"Folder of the index of the focus corpus, with universal parts of speech."`

	listFlags
	partFlags
	Against   string  `placeholder:"INDEX" help:"Folder of the index of the reference corpus, also with parts of speech. Default: none; every term then has the frequency 0 there."`
	RefWhere  string  `name:"reference-where" placeholder:"CONDITION" help:"Condition for the reference corpus, which may be another part of the same index."`
	Attr      string  `short:"a" placeholder:"NAME" help:"Attribute of the words. Default: lemma, else the first one of the index."`
	Fold      bool    `short:"i" help:"Ignore case."`
	Tag       string  `placeholder:"NAME" help:"Attribute with universal parts of speech. Default: pos, else upos."`
	Within    string  `placeholder:"NAME" help:"Structure whose boundaries terms do not cross; - for none. Default: s, else p, else doc."`
	MinTokens int     `range:"[1,6]" default:"1" placeholder:"N" help:"Minimum length in tokens; 2 for multiword terms only. Default: ${default}."`
	MaxTokens int     `range:"[1,6]" default:"4" placeholder:"N" help:"Maximum length in tokens. Default: ${default}."`
	MinFreq   int64   `range:"[1,)" default:"3" placeholder:"N" help:"Minimum frequency in the focus corpus. Default: ${default}."`
	Smoothing float64 `range:"(0,)" default:"1" placeholder:"N" help:"Smoothing parameter n of simple maths, in hits per million: 1 favours rare terms, 100 common ones. Default: ${default}."`
}

// Help is the long text of --help.
func (corpusTermsCmd) Help() string {
	return `Lists terms: nouns and noun phrases that are more frequent in a corpus than in a reference corpus.

Examples:
  chaffinch corpus terms medicine-idx --against web-idx
  chaffinch corpus terms medicine-idx --against web-idx --min-tokens 2 --smoothing 100
  chaffinch corpus terms idx --where 'doc.host="a.example"' --against idx
  chaffinch corpus terms idx -f tsv -n 0 >terms.tsv

A term is a sequence of adjectives, nouns and proper nouns that ends with a noun. In documents in Romance languages (doc.lang), it may also be a noun with adjectives after it, or two nouns with a preposition between them. The same patterns are counted in the reference corpus. The score is simple maths.`
}

// Run prints the table.
func (c *corpusTermsCmd) Run(ctx context.Context, con *console) error {
	if c.RefWhere != "" && c.Against == "" {
		return fmt.Errorf("--reference-where %s: no reference corpus: add --against INDEX", c.RefWhere)
	}
	focus, shut, err := c.source(ctx, c.Index)
	if err != nil {
		return err
	}
	defer shut()
	var reference corpus.Source
	against, title := "", filepath.Base(c.Index)
	if c.Against != "" {
		x, shut, err := partFlags{c.RefWhere}.source(ctx, c.Against)
		if err != nil {
			return err
		}
		defer shut()
		reference, against = x, " against "+inTokens(x)
		title += " against " + filepath.Base(c.Against)
	}
	t, err := corpus.FindTermsIn(ctx, focus, reference, corpus.TermConfig{
		Attr: c.Attr, Fold: c.Fold, Tag: c.Tag, MinTokens: c.MinTokens, MaxTokens: c.MaxTokens, Within: c.Within,
		MinFreq: c.MinFreq, Smoothing: c.Smoothing, Limit: c.Limit,
	})
	if err != nil {
		return err
	}
	l := &list{head: []string{"term", "freq", "reference", "per million", "per million there", "score"}}
	l.about = fmt.Sprintf("%s%s; %s", inTokens(focus), against, count(t.Types, "term"))
	if reference == nil {
		l.about += "; no reference corpus: every term has the frequency 0 there"
	}
	for _, r := range t.Rows {
		l.rows = append(l.rows, []any{r.Term, r.Freq, r.RefFreq, r.PerMillion, r.RefPerMillion, r.Score})
	}
	l.view = corpus.ListView{Kind: "terms", Title: title, Bar: 5}
	return c.write(con.out, l, t)
}
