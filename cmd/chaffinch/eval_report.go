package main

import (
	"fmt"
	"io"

	"chaffinch/lab/eval/result"
)

type evalReportCmd struct {
	Results []string `arg:"" placeholder:"FILE" help:"Saved results: written by --save of eval ir, eval classify and eval lm, or printed by eval clean --json."`
	Out     string   `short:"o" required:"" placeholder:"FILE" help:"HTML report to write."`
	Title   string   `default:"Effects of cleaning" placeholder:"TEXT" help:"Title of the report. Default: ${default}."`
}

// Run writes the report.
func (c *evalReportCmd) Run(con *console) error {
	var tables []*result.Table
	for _, name := range c.Results {
		some, err := result.Load(name)
		if err != nil {
			return err
		}
		tables = append(tables, some...)
	}
	if err := writeFile(c.Out, func(w io.Writer) error { return result.WriteHTML(w, c.Title, tables) }); err != nil {
		return err
	}
	fmt.Fprintf(con.err, "%s: %s\n", c.Out, count(int64(len(tables)), "table"))
	return nil
}
