package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"chaffinch/format/vertical"
	"chaffinch/internal/readers"
	"chaffinch/internal/termsafe"
)

type verticalCheckCmd struct {
	verticalFlags
	Files       []string `arg:"" optional:"" name:"file" help:"Verticals, plain or compressed (gzip, zstd, lz4); - or nothing is standard input."`
	Prevertical bool     `help:"Read the files as preverticals (running text between tags)."`
	Quiet       bool     `short:"q" help:"Print only errors."`
}

// Run prints the structure and errors of each file.
func (c *verticalCheckCmd) Run(ctx context.Context, con *console) error {
	files := c.Files
	if len(files) == 0 {
		files = []string{"-"}
	}
	bad := int64(0)
	for _, name := range files {
		n, err := c.file(ctx, name, con)
		if err != nil {
			return err
		}
		bad += n
	}
	if bad > 0 {
		return errNo{count(bad, "problem") + " in total: fix them with chaffinch vertical repair"}
	}
	return nil
}

func (c *verticalCheckCmd) file(ctx context.Context, name string, con *console) (int64, error) {
	v, err := scanVertical(ctx, name, c.config(name, con), c.Prevertical, c.InputFormat, con)
	if err != nil {
		return 0, err
	}
	if !c.Quiet {
		if err := c.print(name, v, con.out); err != nil {
			return 0, err
		}
	}
	if v.Repaired() > 0 {
		fmt.Fprintf(con.err, "chaffinch: %s: %s\n", name, v.ReaderReport.String())
	}
	return v.Repaired(), nil
}

// scanVertical reads a vertical and returns its structure and errors.
func scanVertical(ctx context.Context, name string, cfg vertical.ReaderConfig, text bool, format string, con *console) (*vertical.Inventory, error) {
	want := aVertical
	if text {
		want = aPrevertical
	}
	in, shut, err := openFile(name, want.as(format), con)
	if err != nil {
		return nil, err
	}
	defer shut()
	cfg.Text = text
	return vertical.Scan(vertical.NewReader(readers.Until(ctx, in), cfg))
}

func (c *verticalCheckCmd) print(name string, v *vertical.Inventory, w io.Writer) error {
	what := count(v.Tokens, "token") + " in " + count(int64(v.Columns), "column")
	if c.Prevertical {
		what = "running text"
	}
	fmt.Fprintf(w, "%s: %s lines, %s\n", termsafe.Field(name), number(v.Lines), what)
	if v.Outside > 0 && v.Find(v.Doc) != nil {
		fmt.Fprintf(w, "%s outside of <%s>\n", number(v.Outside), v.Doc)
	}
	if len(v.Langs) > 0 && v.Langs[0].Lang != "" {
		var langs []string
		for _, l := range v.Langs {
			langs = append(langs, fmt.Sprintf("%s %.1f %%", orNone(l.Lang), 100*float64(l.Tokens)/float64(max(v.Tokens, 1))))
		}
		if len(langs) > 12 {
			langs = append(langs[:12], "…")
		}
		fmt.Fprintf(w, "languages: %s\n", strings.Join(langs, ", "))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range v.Structs {
		var attrs []string
		for _, a := range s.Attrs {
			n := number(int64(a.Values))
			if a.Values >= vertical.MaxValues {
				n = "many"
			}
			attrs = append(attrs, a.Name+" ("+n+")")
		}
		tag := "<" + s.Name + ">"
		if s.Empty == s.Count {
			tag = "<" + s.Name + "/>"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", tag, number(s.Count), strings.Join(attrs, ", "))
	}
	return t.Flush()
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
