// Command annotate measures the effort and the benefit of annotation with "chaffinch serve".
// Annotators are simulated with gold annotations: it writes pages for keys.mjs, which counts
// keystrokes, and tunes models with annotated pages. The models that propose labels were trained
// without the sites.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/clean/blocks"
)

func main() {
	var cfg config
	flag.StringVar(&cfg.data, "data", "../shared/data", "folder of the sets")
	flag.StringVar(&cfg.roles, "roles", "lab/eval/roles/dev.tsv", "roles of their blocks")
	flag.StringVar(&cfg.bases, "bases", "", "folder of the models that have not seen a part of the sites; they are made if they are not there")
	flag.IntVar(&cfg.pages, "pages", 30, "pages to annotate")
	flag.BoolVar(&cfg.two, "two", false, "two labels, text and boilerplate, in place of roles")
	flag.StringVar(&cfg.keys, "keys", "", "write the pages of a part for keys.mjs, and measure nothing")
	flag.IntVar(&cfg.part, "part", 0, "that part, from 0: keys are reported on the first; what saves keys was chosen on the others")
	flag.Parse()
	if err := cfg.run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

type config struct {
	data, roles, bases, keys string
	pages, part              int
	two                      bool
}

func (cfg config) run(ctx context.Context) error {
	c, parts, err := collect(ctx, cfg.data, cfg.roles)
	if err != nil {
		return err
	}
	var all []*measured
	for fold, x := range parts {
		if cfg.keys != "" && fold != cfg.part {
			continue
		}
		name := filepath.Join(cfg.bases, fmt.Sprintf("base%d.chf", fold))
		if _, err := os.Stat(name); err != nil {
			if err := base(ctx, c, x.learn, name); err != nil {
				return err
			}
		}
		m, err := blocks.Load(name)
		if err != nil {
			return err
		}
		l, err := blocks.NewWith(m, blocks.Default)
		if err != nil {
			return err
		}
		slices.SortFunc(x.test, func(i, j int) int { return strings.Compare(c.Items[i].Gold.SHA256, c.Items[j].Gold.SHA256) })
		if cfg.keys != "" {
			return write(ctx, c, x.test[:min(cfg.pages, len(x.test))], l, cfg.two, cfg.keys)
		}
		part, err := gains(ctx, c, x.test, m, l, cfg.pages, cfg.two)
		if err != nil {
			return err
		}
		all = append(all, part...)
	}
	printMeans("blocks with their role, before", all, func(m *measured) []float64 { return m.base })
	printMeans(fmt.Sprintf("gain of %d pages", cfg.pages), all, func(m *measured) []float64 { return m.gain })
	printMeans("F of the main text, before", all, func(m *measured) []float64 { return m.baseF })
	printMeans(fmt.Sprintf("gain of %d pages", cfg.pages), all, func(m *measured) []float64 { return m.gainF })
	return nil
}
