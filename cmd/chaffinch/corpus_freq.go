package main

import (
	"context"
	"fmt"

	"chaffinch/corpus"
)

type corpusFreqCmd struct {
	Index string `arg:"" help:"Folder of an index, or file NAME.shards that lists shards."`
	Query string `arg:"" help:"A query in the corpus query language, or a simple query, as in 'take off'."`

	listFlags
	partFlags
	By      []string `short:"b" default:"word" placeholder:"WHAT" help:"Count by: word or another attribute (whole hit), word@-1 (token left of the hit), word@1 (token right of it), word@0 (first token of it), 2.word (token with the label 2), doc.lang (attribute of a structure). Several are combined. Default: ${default}."`
	Fold    bool     `short:"i" help:"Ignore case."`
	MinFreq int64    `was:"min" placeholder:"N" help:"Minimum number of hits."`
	Sort    string   `default:"freq" enum:"freq,word,relative" help:"Order: ${enum} (hits per million tokens of the part). Default: ${default}."`
}

// Help is the long text of --help.
func (corpusFreqCmd) Help() string {
	return `Counts the hits of a query by form, by neighbouring words, or by part of the corpus.

Examples:
  chaffinch corpus freq idx '[lemma="be"]'                       # forms
  chaffinch corpus freq idx '"coffee"' --by word@-1 -i           # word before
  chaffinch corpus freq idx '"coffee"' --by doc.lang             # language
  chaffinch corpus freq idx '[tag="N.*"]{2}' --by lemma,doc.year
  chaffinch corpus freq idx '[lemma="make"] []{0,2} n:[tag="N.*"]' --by n.lemma --where 'doc.year>=2020'
  chaffinch corpus freq idx '"coffee"' --by doc.year --sort word -f html >coffee.html
  chaffinch corpus freq idx '"cookies"' --by doc.host --sort relative --min-freq 5

For attributes of structures it also prints the size of each part and the hits per million tokens of the part. The column relative is their ratio to the whole corpus.`
}

// Run prints the distribution.
func (c *corpusFreqCmd) Run(ctx context.Context, con *console) error {
	x, shut, err := c.source(ctx, c.Index)
	if err != nil {
		return err
	}
	defer shut()
	f, err := x.Freqs(ctx, c.Query, corpus.FreqConfig{By: c.By, Fold: c.Fold, MinHits: c.MinFreq, Sort: c.Sort, Limit: c.Limit})
	if err != nil {
		return err
	}
	l := &list{head: append(append([]string(nil), f.By...), "hits", "percent", "per million")}
	l.about = fmt.Sprintf("%s in %s, %.2f per million; %s different", count(f.Hits, "hit"), inTokens(x), corpus.PerMillion(f.Hits, f.Tokens), number(f.Types))
	if f.Parts {
		l.head = append(l.head, "tokens", "per million of them", "relative")
	}
	for _, r := range f.Rows {
		var row []any
		for _, v := range r.Values {
			row = append(row, valueName(v))
		}
		row = append(row, r.Hits, 100*r.Share, r.PerMillion)
		if f.Parts {
			row = append(row, r.PartTokens, r.PartPerMillion, r.Relative)
		}
		l.rows = append(l.rows, row)
	}
	l.view = corpus.ListView{Kind: "frequencies", Title: c.Query, Bar: len(f.By)}
	return c.write(con.out, l, f)
}
