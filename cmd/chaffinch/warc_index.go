package main

import (
	"bufio"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"chaffinch/format/warc"
)

type warcIndex struct {
	Files []string `arg:"" name:"file" help:"WARC, ARC and WACZ files, plain or compressed record by record, and folders of them."`
}

// Run writes the index of all files together. Its lines are sorted in memory:
// some 400 bytes for each record.
func (c *warcIndex) Run(ctx context.Context, con *console) error {
	var lines []string
	fail := eachWARC(ctx, c.Files, con, func(name string, r *warc.Reader) (bad int, err error) {
		err = warc.Index(r, filepath.Base(name), func(x warc.CDX) error {
			lines = append(lines, x.String())
			return nil
		}, func(e error) {
			if ctx.Err() != nil {
				return
			}
			fmt.Fprintf(con.err, "%s: %v\n", name, e)
			bad++
		})
		return bad, err
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	slices.Sort(lines)
	return buffered(con.out, func(out *bufio.Writer) error {
		for _, l := range lines {
			if _, err := out.WriteString(l + "\n"); err != nil {
				return err
			}
		}
		return fail
	})
}
