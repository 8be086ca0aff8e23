package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"chaffinch/extract"
	"chaffinch/internal/files"
	"chaffinch/lab/eval/metadata"
)

type evalMetadataCmd struct {
	Set         []string `required:"" placeholder:"NAME" help:"Sets: folders or archives in the data folder, or paths; \"all\" for every set there."`
	Data        string   `default:"../shared/data" placeholder:"DIR" help:"The data folder; sets are in its folder eval."`
	Predictions []string `placeholder:"DIR[=NAME]" help:"Output of another program: DIR/SET.jsonl, one object per page with id, title, authors, date, license (lab/compare/metadata.py)."`
	Half        string   `default:"both" enum:"dev,test,both" help:"Half of the sites: ${enum}. The rules were developed on dev."`
	Field       []string `placeholder:"NAME" help:"The fields: title, author, date, license. Default: all."`
	Group       []string `placeholder:"FIELD" help:"Also show figures by a field of meta.jsonl, such as page_type."`
	Errors      string   `placeholder:"FILE" help:"Write the errors of Chaffinch on the half dev, with gold and value, as a table (TSV)."`
}

// Help is the long help.
func (evalMetadataCmd) Help() string {
	var b strings.Builder
	b.WriteString("Precision, recall and F in percent, over the pages whose gold has the field; \"extra\" counts the\npages with a value but no gold. A value is correct if\n\n")
	for _, f := range metadata.Fields {
		fmt.Fprintf(&b, "  %-8s  %s\n", f.Name, f.Help)
	}
	return b.String()
}

// Run scores every field on every set.
func (c *evalMetadataCmd) Run(ctx context.Context, con *console) error {
	names, err := setNames(c.Set, c.Data)
	if err != nil {
		return err
	}
	var wrong strings.Builder
	t := tabwriter.NewWriter(con.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "set\tfield\thalf\tpages\tsystem\tP\tR\tF\textra\t")
	for _, name := range names {
		s, err := metadata.Open(c.Data, name)
		if err != nil {
			return err
		}
		if err := c.set(ctx, s, t, &wrong); err != nil {
			return err
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if c.Errors != "" {
		return files.WriteFile(c.Errors, []byte(wrong.String()))
	}
	return nil
}

// set scores all systems on one set.
func (c *evalMetadataCmd) set(ctx context.Context, s *metadata.Set, t *tabwriter.Writer, wrong *strings.Builder) error {
	ours, err := s.Run(ctx, extract.Default)
	if err != nil {
		return err
	}
	systems := []string{"chaffinch"}
	outs := []map[string]metadata.Values{ours}
	for _, spec := range c.Predictions {
		dir, name, ok := strings.Cut(spec, "=")
		if !ok {
			name = filepath.Base(dir)
		}
		f, err := os.Open(filepath.Join(dir, s.Name+".jsonl"))
		if err != nil {
			return err
		}
		out, err := metadata.Read(f)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		systems, outs = append(systems, name), append(outs, out)
	}
	for _, f := range metadata.Fields {
		if !s.Has[f.Name] || len(c.Field) > 0 && !slices.Contains(c.Field, f.Name) {
			continue
		}
		for _, half := range []string{"dev", "test"} {
			if c.Half != "both" && c.Half != half {
				continue
			}
			for i, out := range outs {
				var miss func(g *metadata.Gold, v metadata.Values)
				if i == 0 && half == "dev" {
					miss = func(g *metadata.Gold, v metadata.Values) {
						fmt.Fprintf(wrong, "%s\t%s\t%s\t%s\t%s\n", s.Name, f.Name, g.ID, shown(f.Name, &g.Values), shown(f.Name, &v))
					}
				}
				row := func(name string, n metadata.Figures) {
					p, r, fm := n.PRF()
					fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%.1f\t%.1f\t%.1f\t%d\t\n", name, f.Name, half, n.Pages, systems[i], 100*p, 100*r, 100*fm, n.Extra)
				}
				row(s.Name, s.Score(f, out, metadata.Part{Test: half == "test"}, miss))
				for _, field := range c.Group {
					for _, v := range s.Groups(field) {
						row(s.Name+" "+v, s.Score(f, out, metadata.Part{Test: half == "test", Field: field, Value: v}, nil))
					}
				}
			}
		}
	}
	return nil
}

// shown returns a field for the table of errors.
func shown(field string, v *metadata.Values) string {
	s := map[string]string{"title": v.Title, "author": strings.Join(v.Authors, "; "), "date": v.Date, "license": v.License}[field]
	return strings.NewReplacer("\t", " ", "\n", " ").Replace(s)
}
