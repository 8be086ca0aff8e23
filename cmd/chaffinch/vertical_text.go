package main

import (
	"bufio"
	"context"
	"io"

	"chaffinch/format/vertical"
	"chaffinch/internal/readers"
)

type verticalTextCmd struct {
	verticalFlags
	Input string `arg:"" optional:"" default:"-" help:"Vertical, plain or compressed; - is standard input."`
	Out   string `short:"o" placeholder:"FILE" help:"Output file. Default: standard output."`
}

// Run writes the text of each <p> and a line feed, and an empty line after each
// document, as clean writes text.
func (c *verticalTextCmd) Run(ctx context.Context, con *console) error {
	in, shut, err := openFile(c.Input, aVertical.as(c.InputFormat), con)
	if err != nil {
		return err
	}
	defer shut()
	r := vertical.NewReader(readers.Until(ctx, in), c.config(c.Input, con))
	return writeTo(c.Out, con, func(out io.Writer) error {
		w := bufio.NewWriterSize(out, 1<<16)
		doc := int64(0)
		for b, err := range vertical.Blocks(r) {
			if err != nil {
				w.Flush()
				return err
			}
			if b.Doc != doc && doc > 0 {
				w.WriteByte('\n')
			}
			doc = b.Doc
			if _, err := w.Write(b.Text); err != nil {
				return err
			}
			if b.More {
				continue
			}
			if err := w.WriteByte('\n'); err != nil {
				return err
			}
		}
		if doc > 0 {
			w.WriteByte('\n')
		}
		printRepairs(c.Input, r.Report(), con)
		return w.Flush()
	})
}
