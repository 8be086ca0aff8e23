package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"chaffinch/corpus"
)

type corpusAlignCmd struct {
	First   string   `arg:"" help:"Folder of the index of the first corpus."`
	Second  string   `arg:"" help:"Folder of the index of the second corpus, its translation."`
	Mapping string   `arg:"" optional:"" help:"File with the segments that correspond, one pair per line, separated by a tab. Default: segments with the same number, or with --attr the same value, correspond."`
	Unit    string   `placeholder:"NAME" help:"Structure of the segments. Default: align if both corpora have it, else s."`
	Attr    string   `placeholder:"NAME" help:"Attribute that identifies a segment, such as id. MAPPING then holds its values, separated by spaces. Default: none; MAPPING is a mapping file of Manatee."`
	Names   []string `placeholder:"FIRST,SECOND" help:"Names of the two corpora in queries. Default: the names of their folders without suffix."`
	Quiet   bool     `short:"q" help:"No summary."`
}

// Help is the long text of --help.
func (corpusAlignCmd) Help() string {
	return `Aligns the segments of two corpora, so that each shows translations from the other. The alignment is stored in both folders.

Examples:
  chaffinch corpus align en.idx de.idx                       # the n-th segments correspond
  chaffinch corpus align en.idx de.idx --unit s --attr id    # equal values of <s id="...">
  chaffinch corpus align en.idx de.idx en-de.map             # a mapping file of Manatee
  chaffinch corpus align en.idx de.idx pairs.tsv --attr id   # pairs of values

A mapping file numbers the segments from 0: 5, the range 2,4, or -1 for none. The runs 6:8 and 7:9 align 6 with 7, 7 with 8 and 8 with 9. A segment is in one line only.`
}

// Run writes the alignment.
func (c *corpusAlignCmd) Run(ctx context.Context, con *console) error {
	cfg := corpus.AlignConfig{Unit: c.Unit, Attr: c.Attr, Tool: "chaffinch " + version}
	switch len(c.Names) {
	case 0:
	case 2:
		cfg.Names = [2]string(c.Names)
	default:
		return fmt.Errorf("--names: %d names, wanted 2, as in en,de", len(c.Names))
	}
	var of [2]*corpus.Corpus
	for i, dir := range []string{c.First, c.Second} {
		x, err := openIndex(dir)
		if err != nil {
			return err
		}
		defer x.Close()
		of[i] = x
	}
	if c.Mapping != "" {
		in, _, shut, err := openPacked(c.Mapping, con)
		if err != nil {
			return err
		}
		defer shut()
		cfg.Mapping = in
	}
	rep, err := corpus.Align(ctx, of[0], of[1], cfg)
	if bad := (*corpus.ConfigError)(nil); errors.As(err, &bad) && bad.Field == "Mapping" {
		return fmt.Errorf("%s: %w", c.Mapping, err)
	}
	if err != nil {
		return err
	}
	if !c.Quiet {
		fmt.Fprintf(con.err, "%s aligned: %s of %s segments of %s, %s of %s of %s\n", count(int64(rep.Beads), "pair"),
			number(int64(rep.Aligned[0])), number(int64(rep.Segments[0])), rep.Names[0], number(int64(rep.Aligned[1])), number(int64(rep.Segments[1])), rep.Names[1])
	}
	return nil
}

type corpusTranslationsCmd struct {
	Index string `arg:"" help:"Folder of an index."`
	Query string `arg:"" help:"A query in the corpus query language, or a simple query, as in 'take off'."`

	listFlags
	partFlags
	Aligned       string  `required:"" placeholder:"NAME" help:"Name of the aligned corpus."`
	Attr          string  `short:"a" placeholder:"NAME" help:"Attribute of the translations. Default: lemma, else the first one of the aligned corpus."`
	Fold          bool    `short:"i" help:"Ignore case."`
	Words         bool    `short:"w" help:"Only words with a letter (no numbers or punctuation)."`
	MinHits       int64   `range:"[1,)" default:"2" placeholder:"N" help:"Minimum number of segments with the query and the word. Default: ${default}."`
	MinLikelihood float64 `range:"[0,)" default:"10.83" placeholder:"X" help:"Minimum log-likelihood, which excludes function words. Default: ${default} (p = 0.001)."`
}

// Help is the long text of --help.
func (corpusTranslationsCmd) Help() string {
	return `Lists translation candidates: words of the aligned corpus that occur in the translations of the hits more often than by chance, by logDice. All numbers count aligned segments.

Examples:
  chaffinch corpus translations en.idx house --aligned de
  chaffinch corpus translations en.idx '[lemma="take"] "off"' --aligned de -w -n 10`
}

// Run prints the table.
func (c *corpusTranslationsCmd) Run(ctx context.Context, con *console) error {
	x, shut, err := c.open(ctx, c.Index)
	if err != nil {
		return err
	}
	defer shut()
	t, err := x.Translations(ctx, c.Query, corpus.TranslationConfig{
		Aligned: c.Aligned, Attr: c.Attr, Fold: c.Fold, Words: c.Words, MinHits: c.MinHits, MinLikelihood: cmp.Or(c.MinLikelihood, -1), Limit: c.Limit,
	})
	if err != nil {
		return err
	}
	l := &list{head: []string{"translation", "hits", "freq", "logDice", "log-likelihood"}}
	l.about = fmt.Sprintf("%s of %s segments; %s in %s", number(t.Hits), number(t.Segments), count(t.Types, "candidate"), t.Aligned)
	for _, r := range t.Rows {
		l.rows = append(l.rows, []any{r.Word, r.Hits, r.Freq, r.LogDice, r.LogLikelihood})
	}
	l.view = corpus.ListView{Kind: "translations", Title: c.Query, Bar: 3}
	return c.write(con.out, l, t)
}
