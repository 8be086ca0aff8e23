package main

import (
	"context"
	"fmt"
	"io"

	"chaffinch/format/vertical"
	"chaffinch/internal/archive"
	"chaffinch/internal/readers"
	"chaffinch/text/token"
)

type verticalTokenizeCmd struct {
	verticalFlags
	Input string `arg:"" optional:"" default:"-" help:"Prevertical, plain or compressed: running text between tags on separate lines; - is standard input."`
	Out   string `short:"o" placeholder:"FILE" help:"Output file. Default: standard output."`
	Lang  string `short:"l" placeholder:"TAG" help:"Language of all text, such as en or pt-BR. Default: the attribute lang of each <p> or document."`
	Rules string `placeholder:"FILE" help:"Your own rules, applied after the rules of each language (docs/reference/formats/token-rules.md)."`
	segmenterFlag
	tokenizerFlags
	Jobs  int  `short:"j" group:"Tokenizer" placeholder:"N" help:"Tokenizers run in parallel. Default: one per processor. Does not change the output."`
	Quiet bool `short:"q" help:"No summary; repairs are still shown."`
}

// Help is the long text of --help.
func (verticalTokenizeCmd) Help() string {
	return `Examples:
  chaffinch vertical tokenize pages.prevert -o corpus.vert
  chaffinch vertical tokenize pages.prevert --lang km --segmenter km.chf -o corpus.vert
  chaffinch vertical tokenize pages.prevert --lang ja --tokenizer 'mecab -Owakati' -o corpus.vert

Exit code: 0 completed; 1 completed, but the tokenizer failed on some sentences; 2 failed.`
}

// Run writes the vertical.
func (c *verticalTokenizeCmd) Run(ctx context.Context, con *console) error {
	var tokens *token.Family
	models, err := c.models()
	if err != nil {
		return err
	}
	if c.Rules != "" || len(models) > 0 {
		cfg := token.Config{RulesName: c.Rules, Words: models}
		if c.Rules != "" {
			b, err := archive.ReadFile(c.Rules)
			if err != nil {
				return fmt.Errorf("--rules: %w", err)
			}
			cfg.Rules = string(b)
		}
		if tokens, err = token.NewFamily(cfg); err != nil {
			return err
		}
	}
	in, shut, err := openFile(c.Input, aPrevertical.as(c.InputFormat), con)
	if err != nil {
		return err
	}
	defer shut()
	var rep vertical.ReaderReport
	var n int64
	write := func(w io.Writer) (err error) {
		rep, n, err = vertical.Tokenize(w, readers.Until(ctx, in), c.config(c.Input, con), c.Lang, tokens)
		return err
	}
	var left error
	err = writeTo(c.Out, con, func(w io.Writer) error {
		t := c.tokenizer(c.Jobs, con)
		if t == nil {
			return write(w)
		}
		words, err := throughTokenizer(ctx, t, w, con, write)
		if err == nil {
			left = printTokenizerReport(words, c.Quiet, con)
		}
		return err
	})
	if err != nil {
		return err
	}
	printRepairs(c.Input, rep, con)
	if !c.Quiet && c.Tokenizer == "" {
		fmt.Fprintf(con.err, "%s from %s\n", count(n, "token"), count(rep.Lines, "line"))
	}
	return left
}
