package main

import (
	"bufio"
	"context"
	"fmt"
	"path/filepath"

	"chaffinch/format/warc"
	"chaffinch/internal/extsort"
)

type warcIndex struct {
	Files []string `arg:"" name:"file" help:"WARC, ARC and WACZ files, plain or compressed record by record, and folders of them."`
}

// Run writes the index of all files together.
func (c *warcIndex) Run(ctx context.Context, con *console) error {
	lines := extsort.NewLines("", 256<<20)
	defer lines.Close()
	fail := eachWARC(ctx, c.Files, con, func(name string, r *warc.Reader) (bad int, err error) {
		err = warc.Index(r, filepath.Base(name), func(x warc.CDX) error {
			return lines.Add(x.String())
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
	return buffered(con.out, func(out *bufio.Writer) error {
		for l, err := range lines.All() {
			if err == nil {
				_, err = out.WriteString(l + "\n")
			}
			if err != nil {
				return err
			}
		}
		return fail
	})
}
