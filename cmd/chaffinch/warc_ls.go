package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"

	"chaffinch/format/warc"
	"chaffinch/internal/termsafe"
)

type warcLs struct {
	Files []string `arg:"" name:"file" help:"WARC, WET, ARC and WACZ files, plain or compressed, and folders of them; - for standard input."`
}

// Run lists the records, one per line, with tab-separated fields and "-" for missing values.
// The offset is the offset of the record, or of its compressed member with the uncompressed
// bytes before the record after a plus sign. With several archives the last field is the
// name of the archive.
func (c *warcLs) Run(ctx context.Context, con *console) error {
	return buffered(con.out, func(out *bufio.Writer) error {
		return eachWARC(ctx, c.Files, con, func(name string, r *warc.Reader) (bad int, err error) {
			for rec, err := range r.All() {
				if ctx.Err() != nil {
					return bad, ctx.Err()
				}
				if err != nil {
					fmt.Fprintf(con.err, "%s: %v\n", name, err)
					bad++
					continue
				}
				s := warc.Summarise(rec)
				at := fmt.Sprint(rec.Pos.Offset)
				if rec.Pos.Skip > 0 {
					at += fmt.Sprintf("+%d", rec.Pos.Skip)
				}
				fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%d\t%s", at, dash(rec.Type), dash(rec.Date),
					dash(s.MIME), dash(s.Status), rec.Length, dash(rec.URI))
				if len(c.Files) > 1 || name != c.Files[0] {
					fmt.Fprintf(out, "\t%s", termsafe.Field(name))
				}
				if _, err := fmt.Fprintln(out); err != nil { // an error of out stays
					return bad, err
				}
			}
			return bad, nil
		})
	})
}

func dash(s string) string { return cmp.Or(termsafe.Field(s), "-") }
