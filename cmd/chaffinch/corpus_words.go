package main

import (
	"context"
	"fmt"
	"path/filepath"

	"chaffinch/corpus"
)

type corpusWordsCmd struct {
	Index string `arg:"" help:"Folder of an index, or file NAME.shards that lists shards."`

	listFlags
	partFlags
	Attr    string `short:"a" placeholder:"NAME" help:"Attribute of tokens. Default: the first one of the index."`
	Fold    bool   `short:"i" help:"Ignore case."`
	Pattern string `short:"p" placeholder:"REGEX" help:"Only words that match the whole expression, such as 'un.*able'."`
	Words   bool   `short:"w" help:"Only tokens with a letter (no numbers or punctuation)."`
	MinFreq int64  `was:"min" placeholder:"N" help:"Minimum frequency."`
	MaxFreq int64  `was:"max" placeholder:"N" help:"Maximum frequency."`
	NGram   int    `name:"ngram" short:"N" default:"1" placeholder:"N" help:"Length of n-grams in tokens, 1 to 6. Default: ${default}."`
	Within  string `placeholder:"NAME" help:"Structure whose boundaries n-grams do not cross; - for none. Default: s, else p, else doc."`
	Docf    bool   `help:"Print the document frequency."`
	ARF     bool   `name:"arf" help:"Print average reduced frequency (ARF) and average logarithmic distance frequency (ALDF): close to the frequency for evenly spread words, near 1 for words in one place only."`
	DP      string `name:"dp" placeholder:"PARTS" help:"Print the deviation of proportions (DP) and its normalized form (DPnorm) over parts of the corpus: a structure such as doc, or an attribute such as doc.host. 0 for evenly spread words, near 1 for words in one part only."`
	By      string `placeholder:"STRUCT.ATTR" help:"Break frequencies down by an attribute, such as doc.lang or doc.host (derived from doc.url)."`
	Sort    string `default:"freq" enum:"freq,docf,arf,aldf,dp,word" help:"Order: ${enum} (dp: evenly spread words first). Default: ${default}."`
}

// Help is the long text of --help.
func (corpusWordsCmd) Help() string {
	return `Lists words with frequency and frequency per million tokens.

Examples:
  chaffinch corpus words idx                              # most frequent words
  chaffinch corpus words idx -a lemma -p '.*ness' -n 20
  chaffinch corpus words idx --ngram 3 -w -i              # trigrams
  chaffinch corpus words idx -w --arf --sort arf          # evenly spread words first
  chaffinch corpus words idx -w --dp doc.host --min-freq 100 --sort dp
  chaffinch corpus words idx -w --by doc.lang -f tsv >words.tsv`
}

// Run prints the list.
func (c *corpusWordsCmd) Run(ctx context.Context, con *console) error {
	x, shut, err := c.source(ctx, c.Index)
	if err != nil {
		return err
	}
	defer shut()
	w, err := x.WordList(ctx, corpus.WordListConfig{
		Attr: c.Attr, Fold: c.Fold, Pattern: c.Pattern, Words: c.Words, MinFreq: c.MinFreq, MaxFreq: c.MaxFreq, NGram: c.NGram, Within: c.Within,
		DocFreq: c.Docf, ARF: c.ARF, DP: c.DP, By: c.By, Sort: c.Sort, Limit: c.Limit,
	})
	if err != nil {
		return err
	}
	docf, arf := c.Docf || c.Sort == "docf", c.ARF || c.Sort == "arf" || c.Sort == "aldf"
	l := &list{head: []string{"word", "freq", "per million"}}
	l.about = fmt.Sprintf("%s; %s different, %s", inTokens(x), number(w.Types), count(w.Hits, "hit"))
	if w.Types == 0 && c.Pattern != "" {
		l.about += "; --pattern matches whole words, as in 'un.*'"
	}
	if docf {
		l.head = append(l.head, "docf")
	}
	if arf {
		l.head = append(l.head, "arf", "aldf")
	}
	dp := c.DP != "" || c.Sort == "dp"
	if dp {
		l.head = append(l.head, "dp", "dpnorm")
	}
	for i, v := range w.Values {
		name := valueName(v.Value)
		if w.Rest && i == len(w.Values)-1 {
			name = "(others)"
		}
		l.head = append(l.head, name)
	}
	for _, r := range w.Rows {
		row := []any{r.Word, r.Freq, r.PerMillion}
		if docf {
			row = append(row, r.DocFreq)
		}
		if arf {
			row = append(row, r.ARF, r.ALDF)
		}
		if dp {
			row = append(row, *r.DP, *r.DPNorm)
		}
		for _, n := range r.Parts {
			row = append(row, n)
		}
		l.rows = append(l.rows, row)
	}
	l.view = corpus.ListView{Kind: "words", Title: filepath.Base(c.Index), Bar: 1}
	return c.write(con.out, l, w)
}

// valueName names a missing value.
func valueName(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}
