package main

import (
	"context"
	"fmt"
	"io"

	"chaffinch/format/conllu"
	"chaffinch/format/vertical"
	"chaffinch/internal/readers"
)

type verticalConlluCmd struct {
	Input string `arg:"" optional:"" default:"-" help:"CoNLL-U, plain or compressed; - is standard input."`
	Out   string `short:"o" placeholder:"FILE" help:"Output file. Default: standard output."`
	Quiet bool   `short:"q" help:"No summary."`
}

// Help is the long text of --help.
func (verticalConlluCmd) Help() string {
	return `Examples:
  chaffinch vertical conllu treebank.conllu -o treebank.vert
  chaffinch corpus index treebank.vert --columns word,lemma,pos,tag,feats,lempos -o treebank`
}

// Run writes the vertical.
func (c *verticalConlluCmd) Run(ctx context.Context, con *console) error {
	in, _, shut, err := openPacked(c.Input, con)
	if err != nil {
		return err
	}
	defer shut()
	var n int64
	err = writeTo(c.Out, con, func(w io.Writer) error {
		n, err = vertical.FromConllu(w, conllu.NewReader(c.Input, readers.Until(ctx, in)))
		return err
	})
	if err == nil && !c.Quiet {
		fmt.Fprintf(con.err, "%s\n", count(n, "token"))
	}
	return err
}
