package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/corpus"
	"chaffinch/internal/archive"
	"chaffinch/internal/packed"
	"chaffinch/internal/workdir"
)

type corpusCompareCmd struct {
	verticalFormatFlag
	Before string `arg:"" help:"The corpus before the step: folder of an index, or a vertical, plain or compressed."`
	After  string `arg:"" help:"The corpus after it."`

	Out    string `short:"o" placeholder:"FILE" help:"Write an HTML page with plots to FILE; the text still goes to standard output, unless -q is given."`
	Format string `short:"f" default:"text" enum:"text,json" help:"Format of standard output: ${enum}. Default: ${default}."`
	Rows   int    `short:"n" default:"30" help:"Rows of each table of the page; the text shows half as many. Default: ${default}."`
	Quiet  bool   `short:"q" help:"Print nothing; for use with -o."`

	Where     string   `group:"What is looked at" placeholder:"CONDITION" help:"Compare only the parts of both whose structures meet the condition, as in 'doc.lang=\"de\" & doc.year>=2020'."`
	Phrase    []string `short:"p" sep:"none" group:"What is looked at" placeholder:"WORDS" help:"A phrase: tokens separated by spaces, each as in the corpus. Repeatable. Default: those that have changed most."`
	Query     []string `short:"Q" sep:"none" group:"What is looked at" placeholder:"CQL" help:"A query whose hits are counted like those of a phrase. Repeatable."`
	Phrases   string   `group:"What is looked at" placeholder:"FILE" help:"File with phrases, one per line; # begins a comment."`
	Collocate []string `short:"c" sep:"none" name:"collocates" group:"What is looked at" placeholder:"WORDS" help:"A word, or tokens separated by spaces, whose collocates are compared. Repeatable. Default: two words whose collocates have changed."`
	Node      []string `sep:"none" name:"collocates-query" group:"What is looked at" placeholder:"CQL" help:"A query whose collocates are compared. Repeatable."`
	By        []string `group:"What is looked at" placeholder:"STRUCT.ATTR" help:"Attributes whose parts are compared, such as doc.lang,doc.host. Default: attributes with few values, and hosts."`
	Window    window   `short:"W" default:"1,5" group:"What is looked at" placeholder:"FROM,TO" help:"Window of the collocates: negative tokens are left of the hit, positive ones right. Default: ${default}, where objects of verbs stand."`
	Within    string   `group:"What is looked at" placeholder:"NAME" help:"Structure at whose boundaries the window ends, - for none. Default: s where both have it."`
	Measure   string   `short:"m" default:"logdice" group:"What is looked at" placeholder:"NAME" help:"Measure to sort collocates by: ${measures}. Default: ${default}."`

	Attr      string   `short:"a" group:"How it is counted" placeholder:"NAME" help:"Attribute of tokens. Default: the first one of the index, in lower case."`
	Case      bool     `group:"How it is counted" help:"Distinguish words that differ in case only."`
	NGram     int      `name:"ngram" short:"N" default:"2" group:"How it is counted" placeholder:"N" help:"Longest n-grams among the keywords, 1 to 6. Default: ${default}."`
	Smoothing float64  `range:"(0,)" default:"10" group:"How it is counted" placeholder:"N" help:"The n of simple maths, in hits per million: 1 favours rare words, 100 common ones. Default: ${default}."`
	MinFreq   int64    `was:"min" default:"5" group:"How it is counted" placeholder:"N" help:"Minimum frequency of a keyword. Default: ${default}."`
	MinDocs   int64    `group:"How it is counted" placeholder:"N" help:"Minimum number of documents with a keyword. Default: 5, less in a small corpus."`
	DocKey    string   `group:"How it is counted" placeholder:"NAME" help:"Attribute of doc that identifies a document in both corpora. Default: id, else url."`
	Columns   []string `default:"word" group:"How it is counted" help:"Names of the columns of verticals, as in word,lemma,tag. Default: ${default}."`
}

// Help is the long text of --help.
func (corpusCompareCmd) Help() string {
	return `Shows what a cleaning step has done to a corpus: documents and tokens that remain, hits per million of phrases before and after and the share that remains, collocates before and after, keywords of the removed and of the remaining text, and languages, sites and other parts.

Examples:
  chaffinch clean -m keep crawl.warc.gz -o before.vert
  chaffinch clean         crawl.warc.gz -o after.vert
  chaffinch corpus compare before.vert after.vert -o report.html
  chaffinch corpus compare before-idx after-idx -p viagra -p 'payday loan' -c buy -W 1,3
  chaffinch corpus compare all-idx deduplicated-idx --by doc.lang,doc.host -f json >report.json

Verticals are indexed in a temporary folder first. AFTER should be a part of BEFORE: the difference is what was removed.`
}

// Run compares.
func (c *corpusCompareCmd) Run(ctx context.Context, con *console) error {
	cfg := corpus.CompareConfig{
		Attr: c.Attr, Case: c.Case, DocKey: c.DocKey, Phrases: c.Phrase, Queries: c.Query,
		Collocates: c.Collocate, CollocateQueries: c.Node, From: c.Window.from, To: c.Window.to, Within: c.Within, Measure: c.Measure,
		By: c.By, Smoothing: c.Smoothing, MinFreq: c.MinFreq, NGram: c.NGram, MinDocs: c.MinDocs, Rows: c.Rows,
	}
	if corpus.MeasureByName(c.Measure) < 0 {
		return fmt.Errorf("--measure %s: no such measure, have %s", c.Measure, measuresVar())
	}
	if c.Phrases != "" {
		b, err := archive.ReadFile(c.Phrases)
		if err != nil {
			return err
		}
		cfg.Phrases = append(cfg.Phrases, phraseLines(string(b))...)
	}
	bad := faults{con: con}
	before, shut, err := c.open(ctx, c.Before, &bad)
	if err != nil {
		return err
	}
	defer shut()
	after, shut, err := c.open(ctx, c.After, &bad)
	if err != nil {
		return err
	}
	defer shut()
	if c.Where != "" {
		if before, err = before.Where(ctx, c.Where); err != nil {
			return fmt.Errorf("--where: %w", err)
		}
		if after, err = after.Where(ctx, c.Where); err != nil {
			return fmt.Errorf("--where: %w", err)
		}
	}
	x, err := corpus.Compare(ctx, before, after, cfg)
	if err != nil {
		return err
	}
	x.Before.Name, x.After.Name = filepath.Base(c.Before), filepath.Base(c.After)
	if c.Out != "" {
		if err := writeTo(c.Out, con, func(w io.Writer) error {
			return buffered(w, func(b *bufio.Writer) error { return x.WriteHTML(b) })
		}); err != nil {
			return err
		}
	}
	switch {
	case c.Quiet:
	case c.Format == "json":
		e := json.NewEncoder(con.out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		err = e.Encode(x)
	default:
		err = x.WriteText(con.out, max(c.Rows/2, 1))
	}
	return cmp.Or(err, bad.judge("document", ", not compared"))
}

// open opens an index, or makes one of a vertical in a temporary folder, which
// shut removes.
func (c *corpusCompareCmd) open(ctx context.Context, name string, bad *faults) (x *corpus.Corpus, shut func(), err error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if st.IsDir() {
		if x, err = openIndex(name); err != nil {
			return nil, nil, err
		}
		return x, func() { x.Close() }, nil
	}
	work, err := workdir.Temp()
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			work.Close()
		}
	}()
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	r, err := packed.NewReader(f, packed.Default)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	cfg := corpus.DefaultBuild
	cfg.Columns, cfg.Tool = c.Columns, "chaffinch "+version
	cfg.OnFailed = bad.tell
	b, err := corpus.NewBuilder(work.Path, cfg)
	if err != nil {
		return nil, nil, err
	}
	if err = aVertical.as(c.InputFormat).check(r, name, bad.con); err != nil {
		b.Close()
		return nil, nil, err
	}
	if err = b.Add(ctx, name, r); err != nil {
		b.Close()
		return nil, nil, err
	}
	if _, err = b.Finish(); err != nil {
		return nil, nil, err
	}
	if x, err = corpus.Open(work.Path); err != nil {
		return nil, nil, err
	}
	return x, func() { x.Close(); work.Close() }, nil
}

// phraseLines cuts a list of phrases that stand in lines, without empty ones
// and comments.
func phraseLines(s string) (out []string) {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}
