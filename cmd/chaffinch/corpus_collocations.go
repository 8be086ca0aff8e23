package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/corpus"
)

type corpusCollocationsCmd struct {
	Index string `arg:"" help:"Folder of an index, or file NAME.shards that lists shards."`
	Query string `arg:"" help:"A query in the corpus query language, or a simple query, as in 'take off'."`

	listFlags
	partFlags
	Window  window   `short:"W" default:"-5,5" placeholder:"FROM,TO" help:"Window of tokens: negative positions are left of the hit, positive ones right of it. Default: ${default}."`
	Within  string   `placeholder:"NAME" help:"Structure at whose boundaries the window ends, such as s. Default: none."`
	Attr    string   `short:"a" placeholder:"NAME" help:"Attribute of the collocates. Default: the first one of the index."`
	Fold    bool     `short:"i" help:"Ignore case."`
	Words   bool     `short:"w" help:"Only collocates with a letter (no numbers or punctuation)."`
	Measure []string `short:"m" default:"logdice,tscore,mi,mi3,loglikelihood" placeholder:"NAME" help:"Association measures to show, by name or letter; the first one sorts: ${measures}. Default: ${default}."`
	MinHits int64    `default:"3" help:"Minimum number of co-occurrences. Default: ${default}."`
	MinFreq int64    `default:"5" help:"Minimum frequency of the collocate in the corpus. Default: ${default}."`
}

// Help is the long text of --help.
func (corpusCollocationsCmd) Help() string {
	return `Lists the collocates of a query: words that occur near its hits more often than by chance.

Examples:
  chaffinch corpus collocations idx '[lemma="buy"]' -a lemma
  chaffinch corpus colloc idx '"strong"' --window 1,1 -w                # next word only
  chaffinch corpus colloc idx '"bank"' --within s -m t,logdice,mi
  chaffinch corpus colloc idx '[lemma="make"]' -W 1,3 -n 0 -f tsv >make.tsv
  chaffinch corpus colloc idx '"climate"' -w -i -f html >climate.html   # with a graph

logDice does not depend on the size of the corpus; its maximum is 14. The T-score favours frequent words, MI rare
ones. All measures with their formulas are in docs/guides/corpus-statistics.md.`
}

// measuresVar fills in the names of measures.
func measuresVar() string {
	var names []string
	for _, m := range corpus.Measures {
		names = append(names, fmt.Sprintf("%s (%c)", m.Key, m.Code))
	}
	return strings.Join(names, ", ")
}

// window is a flag with two numbers, of which the first may be negative.
type window struct{ from, to int }

// Decode parses FROM,TO from the next argument, even if it looks like a flag.
func (w *window) Decode(ctx *kong.DecodeContext) error {
	s := strings.TrimSpace(fmt.Sprint(ctx.Scan.Pop().Value))
	a, b, ok := strings.Cut(s, ",")
	var err error
	if ok {
		if w.from, err = strconv.Atoi(strings.TrimSpace(a)); err == nil {
			w.to, err = strconv.Atoi(strings.TrimSpace(b))
		}
	}
	if !ok || err != nil || w.from > w.to || w.from == 0 && w.to == 0 {
		return fmt.Errorf("%s: wanted two numbers FROM,TO with FROM at most TO, such as -5,5 (five tokens on both sides)", s)
	}
	return nil
}

// Run prints the table.
func (c *corpusCollocationsCmd) Run(ctx context.Context, con *console) error {
	cfg := corpus.CollocationConfig{
		Attr: c.Attr, Fold: c.Fold, Words: c.Words, From: c.Window.from, To: c.Window.to, Within: c.Within,
		MinHits: max(c.MinHits, 1), MinFreq: max(c.MinFreq, 1), Limit: c.Limit,
	}
	var shown []int
	for _, name := range c.Measure {
		i := corpus.MeasureByName(name)
		if i < 0 {
			return fmt.Errorf("--measure %s: no such measure, wanted one of %s", name, measuresVar())
		}
		shown = append(shown, i)
	}
	if len(shown) > 0 {
		cfg.Sort = corpus.Measures[shown[0]].Key
	}
	x, shut, err := c.source(ctx, c.Index)
	if err != nil {
		return err
	}
	defer shut()
	t, err := x.Collocations(ctx, c.Query, cfg)
	if err != nil {
		return err
	}
	l := &list{head: []string{"collocate", "hits", "freq"}}
	l.about = fmt.Sprintf("%s in %s; %s", count(t.Hits, "hit"), inTokens(x), count(t.Types, "collocate"))
	for _, m := range shown {
		if c.Format == "tsv" {
			l.head = append(l.head, corpus.Measures[m].Key)
		} else {
			l.head = append(l.head, corpus.Measures[m].Name)
		}
	}
	for _, r := range t.Rows {
		row := []any{r.Word, r.Hits, r.Freq}
		for _, m := range shown {
			row = append(row, r.Scores[m])
		}
		l.rows = append(l.rows, row)
	}
	l.view = corpus.ListView{Kind: "collocations", Title: c.Query, Bar: min(3, len(l.head)-1), Pictures: t.Pictures(c.Query)}
	return c.write(con.out, l, t)
}
