package main

import (
	"context"
	"errors"
	"io"

	"chaffinch/format/vertical"
	"chaffinch/internal/readers"
)

type verticalRepairCmd struct {
	verticalFlags
	Input   string `arg:"" optional:"" default:"-" help:"Vertical, plain or compressed; - is standard input."`
	Out     string `short:"o" placeholder:"FILE" help:"Output file. Default: standard output."`
	Columns int    `placeholder:"N" help:"Number of columns of a token. Default: as in the first token."`
}

// Run writes the vertical as its reader mends it.
func (c *verticalRepairCmd) Run(ctx context.Context, con *console) error {
	if c.Strict {
		return errors.New("--strict cannot be combined with repairs: use chaffinch vertical check --strict")
	}
	in, shut, err := openFile(c.Input, aVertical.as(c.InputFormat), con)
	if err != nil {
		return err
	}
	defer shut()
	cfg := c.config(c.Input, con)
	cfg.Columns = c.Columns
	r := vertical.NewReader(readers.Until(ctx, in), cfg)
	err = writeTo(c.Out, con, func(w io.Writer) error { return vertical.Copy(w, r) })
	if err == nil {
		printRepairs(c.Input, r.Report(), con)
	}
	return err
}
