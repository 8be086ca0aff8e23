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
	Before string `arg:"" help:"Corpus before the step: folder of an index, or a vertical, plain or compressed."`
	After  string `arg:"" help:"Corpus after the step."`

	Out    string `short:"o" placeholder:"FILE" help:"Write an HTML page with plots to FILE; the text still goes to standard output, unless -q is given."`
	Format string `short:"f" default:"text" enum:"text,json" help:"Format of standard output: ${enum}. Default: ${default}."`
	Rows   int    `short:"n" default:"30" help:"Rows of each table of the HTML page; the text shows half as many. Default: ${default}."`
	Quiet  bool   `short:"q" help:"Print nothing; for use with -o."`

	Where     string   `group:"Selection" placeholder:"CONDITION" help:"Compare only the parts of both corpora whose structures meet the condition, such as 'doc.lang=\"de\" & doc.year>=2020'."`
	Phrase    []string `short:"p" sep:"none" group:"Selection" placeholder:"WORDS" help:"Phrase to compare: tokens separated by spaces, as in the corpus. Repeatable. Default: the phrases that changed most."`
	Query     []string `short:"Q" sep:"none" group:"Selection" placeholder:"CQL" help:"Query whose hits are compared, like a phrase. Repeatable."`
	Phrases   string   `group:"Selection" placeholder:"FILE" help:"File of phrases, one per line; # begins a comment."`
	Collocate []string `short:"c" sep:"none" name:"collocates" group:"Selection" placeholder:"WORDS" help:"Word, or tokens separated by spaces, whose collocates are compared. Repeatable. Default: two words whose collocates changed."`
	Node      []string `sep:"none" name:"collocates-query" group:"Selection" placeholder:"CQL" help:"Query whose collocates are compared. Repeatable."`
	By        []string `group:"Selection" placeholder:"STRUCT.ATTR" help:"Attributes by which parts of the corpora are compared, such as doc.lang,doc.host. Default: attributes with few values, and hosts."`
	Window    window   `short:"W" default:"1,5" group:"Selection" placeholder:"FROM,TO" help:"Window of the collocates: negative tokens are left of the hit, positive ones right. Default: ${default}, the usual place of a verb's object."`
	Within    string   `group:"Selection" placeholder:"NAME" help:"Structure at whose boundaries the window ends; - for none. Default: s if both corpora have it."`
	Measure   string   `short:"m" default:"logdice" group:"Selection" placeholder:"NAME" help:"Measure to sort collocates by: ${measures}. Default: ${default}."`

	Attr      string   `short:"a" group:"Counting" placeholder:"NAME" help:"Attribute of tokens. Default: the first one of the index, in lower case."`
	Case      bool     `group:"Counting" help:"Distinguish upper and lower case."`
	NGram     int      `name:"ngram" short:"N" default:"2" group:"Counting" placeholder:"N" help:"Longest n-grams among the keywords, 1 to 6. Default: ${default}."`
	Smoothing float64  `range:"(0,)" default:"10" group:"Counting" placeholder:"N" help:"Smoothing parameter n of simple maths, in hits per million: 1 favours rare words, 100 common ones. Default: ${default}."`
	MinFreq   int64    `was:"min" default:"5" group:"Counting" placeholder:"N" help:"Minimum frequency of a keyword. Default: ${default}."`
	MinDocs   int64    `group:"Counting" placeholder:"N" help:"Minimum number of documents with a keyword. Default: 5, less in a small corpus."`
	DocKey    string   `group:"Counting" placeholder:"NAME" help:"Attribute of doc that identifies a document in both corpora. Default: id, else url."`
	Columns   []string `default:"word" group:"Counting" help:"Names of the columns of verticals, as in word,lemma,tag. Default: ${default}."`
}

// Help is the long text of --help.
func (corpusCompareCmd) Help() string {
	return `Compares a corpus before and after a cleaning step: remaining documents and tokens, hits per million of phrases, collocates, keywords of the removed and of the remaining text, and parts such as languages and sites.

Examples:
  chaffinch clean -m keep crawl.warc.gz -o before.vert
  chaffinch clean         crawl.warc.gz -o after.vert
  chaffinch corpus compare before.vert after.vert -o report.html
  chaffinch corpus compare before-idx after-idx -p viagra -p 'payday loan' -c buy -W 1,3
  chaffinch corpus compare all-idx deduplicated-idx --by doc.lang,doc.host -f json >report.json

Verticals are indexed in a temporary folder first. AFTER should be a subset of BEFORE: the difference is the removed text.`
}

// Run compares.
func (c *corpusCompareCmd) Run(ctx context.Context, con *console) error {
	cfg := corpus.CompareConfig{
		Attr: c.Attr, Case: c.Case, DocKey: c.DocKey, Phrases: c.Phrase, Queries: c.Query,
		Collocates: c.Collocate, CollocateQueries: c.Node, From: c.Window.from, To: c.Window.to, Within: c.Within, Measure: c.Measure,
		By: c.By, Smoothing: c.Smoothing, MinFreq: max(1, c.MinFreq), NGram: c.NGram, MinDocs: c.MinDocs, Rows: c.Rows,
	}
	if corpus.MeasureByName(c.Measure) < 0 {
		return fmt.Errorf("--measure %s: no such measure, wanted one of %s", c.Measure, measuresVar())
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
	cfg.OnFailed = bad.report
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

// phraseLines returns the phrases in a text with one phrase per line, without empty lines
// and comments.
func phraseLines(s string) (out []string) {
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}
