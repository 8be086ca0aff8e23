package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	charseteval "chaffinch/lab/eval/charset"
	"chaffinch/lab/eval/floors"
	"chaffinch/text/charset"
)

type evalCharsetCmd struct {
	Set         []string `placeholder:"NAME" help:"Sets to evaluate. Default: all."`
	Data        string   `default:"../shared/data/charset/charset.tar.zst" placeholder:"PATH" help:"Folder or archive with the sets: files and index.tsv."`
	Model       string   `placeholder:"FILE" help:"Model written by chaffinch train charset. Default: the embedded one."`
	Predictions []string `placeholder:"FILE[=NAME]" help:"Output of another program: JSON lines with path and encoding (lab/compare/charset)."`
	By          string   `default:"none" enum:"none,lang,encoding" help:"Group the figures: ${enum}."`
	Worst       int      `placeholder:"N" help:"List the N most frequent errors."`
	floorFlags
}

// Help is the long help.
func (evalCharsetCmd) Help() string {
	return `Figures are the percentage of files that decode to the same text as with their true encoding: of all files, of files in encodings that browsers support ("web"), and of the latter without Unicode ("legacy").`
}

// Run scores all programs on all sets.
func (c *evalCharsetCmd) Run(con *console) error {
	if err := c.read(); err != nil {
		return err
	}
	files, err := charseteval.Open(c.Data, c.Set)
	if err != nil {
		return err
	}
	cfg := charset.Default
	cfg.Model = c.Model
	d, err := charset.New(cfg)
	if err != nil {
		return err
	}
	systems := []string{"chaffinch"}
	answers := []map[string]*charseteval.Answer{charseteval.Run(d, files)}
	for _, spec := range c.Predictions {
		file, name, ok := strings.Cut(spec, "=")
		if !ok {
			name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		}
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		a, err := charseteval.ReadAnswers(f)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		systems, answers = append(systems, name), append(answers, a)
	}
	t := tabwriter.NewWriter(con.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "set\tsystem\tlegacy files\tlegacy\tweb files\tweb\tall files\tall\t")
	var results []*charseteval.Result
	for _, set := range charseteval.Sets(files) {
		for i, name := range systems {
			r := charseteval.Evaluate(set, name, files, answers[i])
			results = append(results, r)
			if i == 0 {
				if err := c.compare("charset/"+set, charseteval.Fingerprint(set, files), []floors.System{{Name: name, Figures: r.Floored()}}); err != nil {
					return err
				}
			}
			fmt.Fprintf(t, "%s\t%s\t%d\t%.2f\t%d\t%.2f\t%d\t%.2f\t\n", set, name, r.Legacy.Files, r.Legacy.Percent(), r.Web.Files, r.Web.Percent(), r.All.Files, r.All.Percent())
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if err := c.tables(con.out, results, len(systems)); err != nil {
		return err
	}
	for _, r := range results {
		if r.System != "chaffinch" || c.Worst == 0 {
			continue
		}
		fmt.Fprintf(con.out, "\n%s: wrong answers\n", r.Set)
		for _, w := range r.Wrong[:min(len(r.Wrong), c.Worst)] {
			fmt.Fprintf(con.out, "%5d  %s %s read as %s (%s)\n", w.N, w.Lang, w.True, w.Answer, w.Example)
		}
	}
	return c.judge(con.err)
}

// tables prints the scores by language or encoding.
func (c *evalCharsetCmd) tables(w io.Writer, results []*charseteval.Result, systems int) error {
	if c.By == "none" {
		return nil
	}
	for i := 0; i < len(results); i += systems {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(t, "\n%s\tfiles\t", results[i].Set)
		for _, r := range results[i : i+systems] {
			fmt.Fprintf(t, "%s\t", r.System)
		}
		fmt.Fprintln(t)
		part := func(r *charseteval.Result) map[string]*charseteval.Score {
			if c.By == "lang" {
				return r.ByLang
			}
			return r.ByName
		}
		for _, k := range slices.Sorted(maps.Keys(part(results[i]))) {
			fmt.Fprintf(t, "%s\t%d\t", k, part(results[i])[k].Files)
			for _, r := range results[i : i+systems] {
				fmt.Fprintf(t, "%.1f\t", part(r)[k].Percent())
			}
			fmt.Fprintln(t)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}
