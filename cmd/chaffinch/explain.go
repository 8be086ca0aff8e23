package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"chaffinch/build/recipe"
	"chaffinch/build/stage"
	"chaffinch/clean/method"
	"chaffinch/input"
	"chaffinch/serve/explain"
)

type explainCmd struct {
	Page string `arg:"" help:"File with the page: HTML, plain text, JSONL, WARC, WET or ARC, plain or compressed; - is standard input."`

	Out    string `short:"o" placeholder:"FILE" help:"Output file. Default: standard output, unless it is a terminal."`
	ID     string `name:"id" xor:"which" help:"Show the page with this id, record id or address. Default: the first page."`
	Index  int    `xor:"which" placeholder:"N" help:"Show page N of the file, counted from 1."`
	Method string `short:"m" default:"" enum:",${methods}" placeholder:"NAME" help:"Method selected first: ${methods}. Default: ${method}, for plain text ${textMethod}."`
	Model  string `placeholder:"FILE" help:"Model of the method; replaces the embedded one. Without --method the file determines the method."`
	Config string `placeholder:"JSON" help:"Settings of the method that differ from its defaults, as a JSON object."`
	Lang   string `short:"l" placeholder:"TAG" help:"Language of the page, such as en or pt-BR. Default: detected from its text."`
	Keep   string `placeholder:"ROLES" help:"Policy of the method blocks: text (all content, including comments), main (without the headline), article, news, body, or roles separated by commas, such as body,title. Default: text; article is shown beside it."`
	Favour string `default:"" enum:",precision,recall" placeholder:"WHAT" help:"Which errors the method blocks avoids: precision (lose text rather than keep boilerplate) or recall (keep boilerplate rather than lose text). Default: balanced."`
	Hidden string `default:"drop" enum:"drop,keep" help:"Blocks hidden by the page's styles: drop or keep. Default: drop."`

	pageFormatFlag
	TextField string `group:"Input" placeholder:"NAME" xor:"field" help:"Field with plain text. Default: text."`
	HTMLField string `group:"Input" placeholder:"NAME" xor:"field" help:"Field with HTML."`
}

// Help is the long text of --help.
func (explainCmd) Help() string {
	return `Writes an HTML file that shows all blocks of the page, coloured by the decision of a method. It also shows scores and reasons of all methods, sliders for thresholds, and the kept text. The file works offline.

Examples:
  chaffinch explain page.html -o why.html
  chaffinch explain crawl.warc.gz --id https://example.org/ -o why.html
  curl -s https://example.org | chaffinch explain - -m justext >why.html`
}

// Run writes the file.
func (c *explainCmd) Run(ctx context.Context, con *console) error {
	if c.Out == "" && isTerminal(con.out) {
		return errors.New("standard output is a terminal: name an HTML file with -o")
	}
	if c.Config != "" && !json.Valid([]byte(c.Config)) {
		return fmt.Errorf("--config %s: not a JSON object", c.Config)
	}
	if err := checkKeep(c.Keep); err != nil {
		return err
	}
	o := stage.Options{Method: c.Method, MethodConfig: json.RawMessage(c.Config), Lang: c.Lang, KeepHidden: c.Hidden == "keep", Keep: c.Keep, Favour: c.Favour}
	if c.Model != "" {
		var err error
		if o.Method, o.MethodConfig, err = method.WithModel(c.Method, c.Model, o.MethodConfig); err != nil {
			return fmt.Errorf("--%w", err)
		}
	}
	cfg := input.Default
	cfg.Field = cmp.Or(c.TextField, cfg.Field)
	if c.HTMLField != "" {
		cfg.Field, cfg.FieldHTML = c.HTMLField, true
	}
	e, err := explain.New(explain.Config{Clean: o})
	if err != nil {
		return err
	}
	cfg.Stdin, cfg.Parquet = con.in, recipe.ReadParquet
	c.pageFormatFlag.set(&cfg, con)
	in, err := input.Open([]string{c.Page}, cfg)
	if err != nil {
		return err
	}
	defer in.Close()
	p, err := explain.Find(in, c.ID, c.Index)
	if err != nil && strings.HasPrefix(err.Error(), c.Page) { // it names the file
		return err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", c.Page, err)
	}
	x, err := e.Do(ctx, p)
	if err != nil {
		return err
	}
	return writeTo(c.Out, con, x.WriteHTML)
}
