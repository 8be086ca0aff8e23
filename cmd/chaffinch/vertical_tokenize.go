package main

import (
	"context"
	"fmt"
	"io"

	"chaffinch/vertical"
)

type verticalTokenizeCmd struct {
	verticalFlags
	Input string `arg:"" optional:"" default:"-" help:"Prevertical, plain or packed: running text between tags on lines of their own; - is standard input."`
	Out   string `short:"o" placeholder:"FILE" help:"Default: standard output."`
	Lang  string `short:"l" placeholder:"TAG" help:"Language of all text, such as en or pt-BR. Default: the attribute lang of each <p> or document."`
	Quiet bool   `short:"q" help:"No summary; what is mended is still shown."`
}

// Run writes the vertical.
func (c *verticalTokenizeCmd) Run(ctx context.Context, con *console) error {
	in, shut, err := openPlainOrPacked(c.Input, con)
	if err != nil {
		return err
	}
	defer shut()
	return writeTo(c.Out, con, func(w io.Writer) error {
		rep, tokens, err := vertical.Tokenize(w, stopWith(ctx, in), c.config(c.Input, con), c.Lang)
		if err != nil {
			return err
		}
		tellRepairs(c.Input, rep, con)
		if !c.Quiet {
			fmt.Fprintf(con.err, "%s from %s\n", count(tokens, "token"), count(rep.Lines, "line"))
		}
		return nil
	})
}
