package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"chaffinch/corpus"
	"chaffinch/corpus/sketch"
)

// sketchFlags are the flags of commands that print word sketches.
type sketchFlags struct {
	Format  string `short:"f" default:"text" enum:"text,tsv,json,html" help:"text (a table per relation), tsv (full precision, header line), json, or html. Default: ${default}."`
	Limit   int    `short:"n" default:"15" help:"Maximum number of collocates of a relation; 0 for all. Default: ${default}."`
	MinHits int64  `default:"3" help:"Minimum number of instances of a collocate. Default: ${default}."`
	partFlags
	Relation []string `short:"r" sep:"none" placeholder:"NAME" help:"Only this relation, such as object or 'modifiers of'; may be repeated. Default: all."`
}

type corpusSketchCmd struct {
	Index string `arg:"" help:"Folder of an index with word sketches, or file NAME.shards that lists shards."`
	Word  string `arg:"" help:"Headword: a lempos such as take-v, or a lemma."`

	sketchFlags
	With []string `sep:"none" placeholder:"RELATION=WORD" help:"Only instances of the word with this collocate, as in object=speech-n, or speech-n for any relation: a multiword sketch. May be repeated."`
	Sort string   `default:"score" enum:"score,hits" help:"Order of the collocates: ${enum}. Default: ${default}."`
}

// Help is the long text of --help.
func (corpusSketchCmd) Help() string {
	return `Prints the collocates of a word by grammatical relation, with their counts and logDice scores.

Examples:
  chaffinch corpus sketch idx take-v
  chaffinch corpus sketch idx take-v --relation object -n 50
  chaffinch corpus sketch idx deliver-v --with object=speech-n            # what delivers a speech, and how
  chaffinch corpus sketch idx take-v --where 'doc.year>=2020'             # sketch of a part of the corpus
  chaffinch corpus conc idx '[ws("take-v", "object", "place-n")]'         # its concordance
  chaffinch corpus sketch idx take-v -f tsv >take.tsv

Name a relation by its printed name, with or without the word and quotes, or by its short name, such as object. Word sketches
are computed by corpus index, build or corpus sketches.`
}

// Run prints the sketch.
func (c *corpusSketchCmd) Run(ctx context.Context, con *console) error {
	x, shut, err := c.source(ctx, c.Index)
	if err != nil {
		return err
	}
	defer shut()
	k, err := sketch.Of(ctx, x, c.Word, sketch.Config{MinHits: c.MinHits, Limit: c.Limit, Relations: c.Relation, With: c.With, Sort: c.Sort})
	if err != nil {
		return err
	}
	also(con, k.Word, k.Also)
	about := fmt.Sprintf("%s: %s in %s", k.Word, count(k.Freq, "token"), inTokens(x))
	if len(k.With) > 0 {
		about += fmt.Sprintf("; %s with %s", number(k.Hits), strings.Join(k.With, " and "))
	}
	if c.Format != "text" {
		l := &list{about: about, head: []string{"relation", "collocate", "hits", "logDice"}}
		if c.Format == "tsv" {
			l.head[3] = "logdice"
		}
		for _, r := range k.Relations {
			if r.Unary {
				l.rows = append(l.rows, []any{r.Name, nil, r.Hits, nil})
			}
			for _, w := range r.Collocates {
				l.rows = append(l.rows, []any{r.Name, w.Word, w.Hits, w.Score})
			}
		}
		l.view = corpus.ListView{Kind: "sketch", Title: k.Word, Bar: 3}
		return listFlags{Format: c.Format}.write(con.out, l, k)
	}
	return buffered(con.out, func(w *bufio.Writer) error {
		fmt.Fprintln(w, about)
		for _, r := range k.Relations {
			fmt.Fprintf(w, "\n%s: %s, %.1f %%\n", r.Name, number(r.Hits), r.Percent)
			if r.Unary {
				continue
			}
			l := &list{head: []string{"collocate", "hits", "logDice"}}
			for _, e := range r.Collocates {
				l.rows = append(l.rows, []any{e.Word, e.Hits, e.Score})
			}
			if err := l.text(w); err != nil {
				return err
			}
		}
		return nil
	})
}

// also prints the headwords with another part of speech.
func also(con *console, word string, others []string) {
	if len(others) > 0 {
		fmt.Fprintf(con.err, "chaffinch: %s, the most frequent one; also %s\n", word, strings.Join(others, ", "))
	}
}

type corpusSketchdiffCmd struct {
	Index  string `arg:"" help:"Folder of an index with word sketches, or file NAME.shards that lists shards."`
	First  string `arg:"" help:"First word, such as big-j."`
	Second string `arg:"" help:"Second word, such as large-j."`

	sketchFlags
}

// Help is the long text of --help.
func (corpusSketchdiffCmd) Help() string {
	return `Compares the word sketches of two words: collocates of the first word, of both, and of the second word.

Examples:
  chaffinch corpus sketchdiff idx big-j large-j
  chaffinch corpus sketchdiff idx buy-v purchase-v --relation object

A collocate belongs to one word if the other has no instance of it, or a logDice score that is lower by 2 or more.`
}

// Run prints the difference.
func (c *corpusSketchdiffCmd) Run(ctx context.Context, con *console) error {
	x, shut, err := c.source(ctx, c.Index)
	if err != nil {
		return err
	}
	defer shut()
	d, err := sketch.DiffOf(ctx, x, c.First, c.Second, sketch.Config{MinHits: c.MinHits, Limit: c.Limit, Relations: c.Relation})
	if err != nil {
		return err
	}
	about := fmt.Sprintf("%s: %s, %s: %s in %s", d.First, count(d.Freqs[0], "token"), d.Second, count(d.Freqs[1], "token"), inTokens(x))
	group := map[string]string{"first": d.First, "both": "both", "second": d.Second}
	head := []string{"group", "collocate", "hits 1", "hits 2", "logDice 1", "logDice 2"}
	rows := func(r sketch.DiffRelation) (rows [][]any) {
		for _, e := range r.Collocates {
			rows = append(rows, []any{group[e.Group], e.Word, e.Hits[0], e.Hits[1], e.Scores[0], e.Scores[1]})
		}
		return rows
	}
	if c.Format != "text" {
		l := &list{about: about, head: append([]string{"relation"}, head...)}
		for _, r := range d.Relations {
			for _, row := range rows(r) {
				l.rows = append(l.rows, append([]any{r.Name}, row...))
			}
		}
		l.view = corpus.ListView{Kind: "sketch difference", Title: d.First + " / " + d.Second, Bar: 5}
		return listFlags{Format: c.Format}.write(con.out, l, d)
	}
	return buffered(con.out, func(w *bufio.Writer) error {
		fmt.Fprintln(w, about)
		for _, r := range d.Relations {
			fmt.Fprintf(w, "\n%s: %s / %s\n", r.Name, number(r.Hits[0]), number(r.Hits[1]))
			l := &list{head: head, rows: rows(r)}
			if err := l.text(w); err != nil {
				return err
			}
		}
		return nil
	})
}

type corpusThesaurusCmd struct {
	Index string `arg:"" help:"Folder of an index with word sketches, or file NAME.shards that lists shards."`
	Word  string `arg:"" help:"Headword: a lempos such as take-v, or a lemma."`

	listFlags
	MinFreq int64   `default:"5" help:"Minimum frequency of a word in the corpus. Default: ${default}."`
	Cluster float64 `default:"0.15" help:"Minimum similarity to the first word of a cluster. Default: ${default}."`
}

// Help is the long text of --help.
func (corpusThesaurusCmd) Help() string {
	return `Lists the words of the same part of speech that share most contexts with a word. A context is a grammatical relation with a
collocate. Words with the same number in the column cluster are similar to each other.

Examples:
  chaffinch corpus thesaurus idx take-v
  chaffinch corpus thesaurus idx coffee-n -n 20 -f json`
}

// Run prints the words.
func (c *corpusThesaurusCmd) Run(ctx context.Context, con *console) error {
	x, shut, err := partFlags{}.source(ctx, c.Index)
	if err != nil {
		return err
	}
	defer shut()
	t, err := sketch.ThesaurusOf(ctx, x, c.Word, sketch.ThesaurusConfig{Limit: c.Limit, MinFreq: c.MinFreq, Cluster: c.Cluster})
	if err != nil {
		return err
	}
	also(con, t.Word, t.Also)
	l := &list{head: []string{"word", "freq", "similarity", "cluster"}}
	l.about = fmt.Sprintf("%s: %s in %s, %s shared with other words", t.Word, count(t.Freq, "token"), inTokens(x), count(int64(t.Contexts), "context"))
	for _, w := range t.Similar {
		l.rows = append(l.rows, []any{w.Word, w.Freq, w.Score, int64(w.Cluster)})
	}
	l.view = corpus.ListView{Kind: "thesaurus", Title: t.Word, Bar: 2}
	return c.write(con.out, l, t)
}
