package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"chaffinch/format/vertical"
	"chaffinch/token"
)

type verticalTokenizeCmd struct {
	verticalFlags
	Input string `arg:"" optional:"" default:"-" help:"Prevertical, plain or packed: running text between tags on lines of their own; - is standard input."`
	Out   string `short:"o" placeholder:"FILE" help:"Default: standard output."`
	Lang  string `short:"l" placeholder:"TAG" help:"Language of all text, such as en or pt-BR. Default: the attribute lang of each <p> or document."`
	Rules string `placeholder:"FILE" help:"Rules of your own, read after those of each language (docs/formats/token-rules.md)."`
	segmenterFlag
	Quiet bool `short:"q" help:"No summary; what is mended is still shown."`
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
			b, err := os.ReadFile(c.Rules)
			if err != nil {
				return fmt.Errorf("--rules: %w", err)
			}
			cfg.Rules = string(b)
		}
		if tokens, err = token.NewFamily(cfg); err != nil {
			return err
		}
	}
	in, shut, err := openFile(c.Input, aPrevertical, con)
	if err != nil {
		return err
	}
	defer shut()
	return writeTo(c.Out, con, func(w io.Writer) error {
		rep, n, err := vertical.Tokenize(w, stopWith(ctx, in), c.config(c.Input, con), c.Lang, tokens)
		if err != nil {
			return err
		}
		tellRepairs(c.Input, rep, con)
		if !c.Quiet {
			fmt.Fprintf(con.err, "%s from %s\n", count(n, "token"), count(rep.Lines, "line"))
		}
		return nil
	})
}
