package main

import (
	"fmt"
	"io"

	"chaffinch/lab/eval/result"
)

type evalReportCmd struct {
	Results []string `arg:"" placeholder:"FILE" help:"Saved results: what --save of eval ir, eval classify and eval lm wrote, and what eval clean --json prints."`
	Out     string   `short:"o" required:"" placeholder:"FILE" help:"The report (HTML)."`
	Title   string   `default:"What cleaning is good for" placeholder:"TEXT" help:"Title of the report. Default: ${default}."`
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
