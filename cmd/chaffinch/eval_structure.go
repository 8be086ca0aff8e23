package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch"
	"chaffinch/lab/eval/structure"
)

type evalStructureCmd struct {
	Set             []string `arg:"" placeholder:"SET" help:"Folders or archives with html/ID.html and gold Markdown in markdown/ID.md."`
	Predictions     []string `short:"p" sep:"none" placeholder:"DIR[=NAME]" help:"Also evaluate Markdown of another program: DIR/SET/ID.md."`
	Method          string   `short:"m" placeholder:"NAME" help:"Method of Chaffinch: ${methodNames}."`
	Keep            string   `placeholder:"ROLES" help:"Policy for kept text, as for clean."`
	SavePredictions string   `placeholder:"DIR" help:"Write the Markdown of Chaffinch to DIR/SET/ID.md."`
	Worst           int      `placeholder:"N" help:"Also show the N worst pages of each measure, with output and gold."`
	Measure         []string `placeholder:"NAME" help:"Measures of --worst. Default: all."`
	JSON            bool     `help:"Print JSON with the figures of every page."`
}

// Help is the long help.
func (evalStructureCmd) Help() string {
	return `Compares Markdown with gold: edit similarity of text, code, formulas and tables, and tree edit
similarity of tables (teds), lists, footnotes and callouts. Each is a mean in percent over the pages
that have such structure. "overall" follows WebMainBench.

Example:
  chaffinch eval structure defuddle --keep main,title --worst 10 --measure code`
}

// Run evaluates every set.
func (c *evalStructureCmd) Run(ctx context.Context, con *console) error {
	var measures []structure.Measure
	for _, m := range c.Measure {
		if !slices.Contains(structure.Measures(), structure.Measure(m)) {
			return fmt.Errorf("--measure: %q is not one of %v", m, structure.Measures())
		}
		measures = append(measures, structure.Measure(m))
	}
	if measures == nil {
		measures = structure.Measures()
	}
	var results []*structure.Result
	for _, path := range c.Set {
		s, err := structure.Open(path)
		if err != nil {
			return err
		}
		out, err := s.Run(ctx, chaffinch.Options{Method: c.Method, Keep: c.Keep})
		if err != nil {
			return err
		}
		if c.SavePredictions != "" {
			if err := s.Save(filepath.Join(c.SavePredictions, s.Name), out); err != nil {
				return err
			}
		}
		results = append(results, s.Score("chaffinch", out))
		for _, spec := range c.Predictions {
			dir, name, ok := strings.Cut(spec, "=")
			if !ok {
				name = filepath.Base(dir)
			}
			out, err := s.Read(filepath.Join(dir, s.Name))
			if err != nil {
				return err
			}
			results = append(results, s.Score(name, out))
		}
	}
	if c.JSON {
		return structure.WriteJSON(con.out, results)
	}
	if err := structure.WriteText(con.out, results); err != nil {
		return err
	}
	if c.Worst > 0 {
		for _, r := range results {
			for _, m := range measures {
				if err := structure.WriteWorst(con.out, r, m, c.Worst); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
