package main

import (
	"context"
	"fmt"

	"chaffinch/format/warc"
	"chaffinch/internal/termsafe"
)

type warcCheck struct {
	Files []string `arg:"" name:"file" help:"WARC, WET, ARC and WACZ files, plain or compressed, and folders of them; - for standard input."`
	Quiet bool     `short:"q" help:"Print only errors."`
}

// Run prints one line for everything that is wrong and one for each file.
func (c *warcCheck) Run(ctx context.Context, con *console) error {
	return eachWARC(ctx, c.Files, con, func(name string, r *warc.Reader) (int, error) {
		n, err := warc.Check(r, func(f warc.Finding) {
			if ctx.Err() != nil {
				return
			}
			e := warc.Error{Pos: f.Pos, Record: f.Record, Err: fmt.Errorf("%s", f.What)}
			fmt.Fprintf(con.out, "%s: %s\n", termsafe.Field(name), termsafe.Field(fmt.Sprint(&e)))
		})
		if err == nil && ctx.Err() == nil && !c.Quiet {
			_, err = fmt.Fprintf(con.out, "%s: %s, %s compared, %s\n", termsafe.Field(name), count(int64(n.Records), "record"), count(int64(n.Digests), "digest"), count(int64(n.Findings), "problem"))
		}
		return n.Findings, err
	})
}
