package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"chaffinch/corpus"
	"chaffinch/corpus/gdex"
	"chaffinch/internal/archive"
	"chaffinch/internal/termsafe"
)

type corpusConcordanceCmd struct {
	Index string `arg:"" help:"Folder of an index, or file NAME.shards that lists shards."`
	Query string `arg:"" help:"A simple query, as in 'take off' or 'tak*', or a query in the corpus query language, as in '[lemma=\"go\"] []{0,2} \"home\" within <s/>'."`
	partFlags
	Count      bool     `help:"Print only the number of matches."`
	Good       int      `placeholder:"N" help:"Show the N best examples: whole, common and clear sentences, one per document. Scores a random sample of 5,000 matches, or of --sample."`
	GoodConfig string   `placeholder:"FILE" help:"Weights and limits of --good, in JSON; docs/guides/corpus-examples.md describes them."`
	View       string   `default:"kwic" enum:"kwic,sentence" help:"kwic: left and right context; sentence: the whole sentence (${default})."`
	Context    *int     `placeholder:"N" help:"Context on each side, in characters, cut between words. Default: the width of the terminal, ${concContext} in files and pipes."`
	Tokens     *int     `placeholder:"N" help:"Context on each side in tokens instead."`
	Unit       string   `default:"s" placeholder:"NAME" help:"Structure that --view sentence shows (${default})."`
	Sort       []string `placeholder:"KEY" help:"Sort by left (words before the hit, nearest first), right, match, or an attribute such as doc.date; later keys break ties. Default: corpus order."`
	Sample     int      `placeholder:"N" help:"Random sample of N matches."`
	Seed       uint64   `default:"1" help:"Seed of the sample (${default})."`
	Limit      *int     `placeholder:"N" help:"Show at most N matches; 0 shows all. Default: ${concLimit}, or the whole sample."`
	Ref        []string `placeholder:"NAME.ATTR" help:"Print the source of each match: attributes of structures, such as doc.url,doc.lang. A structure alone prints its number."`
	Aligned    []string `placeholder:"NAME" help:"Show the translation of each match in these aligned corpora (corpus align)."`
	Format     string   `short:"f" default:"text" enum:"${concFormats}" help:"${concFormats} (${default})."`
	Quiet      bool     `short:"q" help:"Do not print the number of matches."`
}

// shownMatches is the default number of matches shown.
const shownMatches = 100

// concordanceVars holds the variables in the help of the flags.
var concordanceVars = kong.Vars{
	"concContext": fmt.Sprint(corpus.DefaultConcordance.Context),
	"concLimit":   fmt.Sprint(shownMatches),
	"concFormats": strings.Join(corpus.Formats, ","),
}

// Run prints the concordance.
func (c *corpusConcordanceCmd) Run(ctx context.Context, con *console) error {
	x, shut, err := c.source(ctx, c.Index)
	if err != nil {
		return err
	}
	defer shut()
	if c.Count {
		n, cql, err := x.Count(ctx, c.Query)
		if err != nil {
			return err
		}
		if n == 0 {
			hint(ctx, con, x, c.Query)
		}
		_, err = fmt.Fprintf(con.out, "%s, %.2f per million tokens%s\n", matches(n), corpus.PerMillion(n, x.Size()), inCQL(c.Query, cql))
		return err
	}
	cfg := corpus.ConcordanceConfig{
		View: corpus.View(c.View), Unit: c.Unit, Sort: c.Sort,
		Sample: c.Sample, Seed: c.Seed, Refs: c.Ref, Aligned: c.Aligned, Color: colored(con.out),
	}
	switch {
	case c.Tokens != nil:
		cfg.Context, cfg.Tokens = *c.Tokens, true
	case c.Context != nil:
		cfg.Context = *c.Context
	default:
		cfg.Context, cfg.Width = corpus.DefaultConcordance.Context, terminalWidth(con.out)
	}
	if c.GoodConfig != "" && c.Good == 0 {
		return errors.New("--good-config needs --good N")
	}
	if c.Good > 0 {
		if c.Limit != nil {
			return errors.New("--good N shows N examples: leave out --limit")
		}
		if len(c.Sort) > 0 {
			return errors.New("--good sorts by score: leave out --sort")
		}
		if cfg.Good, err = c.goodConfig(); err != nil {
			return err
		}
		cfg.View = corpus.Sentence
	}
	switch {
	case c.Good > 0:
		cfg.Limit = c.Good
	case c.Limit != nil:
		cfg.Limit = *c.Limit
	case c.Sample == 0:
		cfg.Limit = shownMatches
	}
	k, err := x.Search(ctx, c.Query, cfg)
	if err != nil {
		return err
	}
	if !c.Quiet {
		fmt.Fprintf(con.err, "%s%s\n", k.Summary(), inCQL(c.Query, k.CQL()))
	}
	if k.Total == 0 {
		hint(ctx, con, x, c.Query)
	}
	out := con.out
	if c.Format == "text" { // the concordance quotes text that it does not colour
		out = termsafe.Raw(out).(io.Writer)
	}
	return k.Write(ctx, out, c.Format)
}

// goodConfig returns the weights of --good.
func (c *corpusConcordanceCmd) goodConfig() (*gdex.Config, error) {
	if c.GoodConfig == "" {
		return gdex.Default(), nil
	}
	b, err := archive.ReadFile(c.GoodConfig)
	if err != nil {
		return nil, err
	}
	cfg, err := gdex.Read(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("--good-config %s: %w", c.GoodConfig, err)
	}
	return cfg, nil
}

// inCQL returns the end of a message that shows the CQL of a simple query.
func inCQL(query, cql string) string {
	if cql == query {
		return ""
	}
	return ": " + cql
}

// hint prints possible reasons why a query has no matches.
func hint(ctx context.Context, con *console, x corpus.Source, query string) {
	c, ok := x.(*corpus.Corpus)
	if !ok {
		return
	}
	q, err := c.Query(ctx, query)
	if err != nil {
		return
	}
	for _, h := range q.Hints() {
		fmt.Fprintf(con.err, "chaffinch: %s\n", h)
	}
}

// matches writes n matches.
func matches(n int64) string {
	if n == 1 {
		return "1 match"
	}
	return number(n) + " matches"
}
