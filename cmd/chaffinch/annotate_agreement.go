package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"chaffinch/internal/table"
	"chaffinch/lab/annotate"
	"chaffinch/lab/gold"
)

type annotateAgreementCmd struct {
	A string `arg:"" help:"Labels of one annotator: TSV, JSONL, a folder or an archive of such files (docs/reference/formats/lines.md)."`
	B string `arg:"" help:"Labels of the other annotator for the same documents (by id)."`

	Show int `short:"n" default:"20" placeholder:"N" help:"Number of differing lines to list; -1 lists all. Default: ${default}."`
}

// Help is the long text of --help.
func (annotateAgreementCmd) Help() string {
	return `Prints the share of lines with the same label, Cohen's kappa and Krippendorff's alpha, for all documents and by
language (1 = perfect, 0 = chance; "-" = undefined, since all labels are the same). Then it lists the lines on which
the annotators differ.

Example:
  chaffinch annotate agreement anna.tsv bo.tsv`
}

// Run prints the figures.
func (c *annotateAgreementCmd) Run(ctx context.Context, con *console) error {
	a, err := gold.ReadLineDocs(ctx, c.A)
	if err != nil {
		return err
	}
	b, err := gold.ReadLineDocs(ctx, c.B)
	if err != nil {
		return err
	}
	cmp, err := annotate.Compare(a, b)
	if err != nil {
		return fmt.Errorf("%s, %s: %w", c.A, c.B, err)
	}
	var out bytes.Buffer
	t := table.New("language", ">documents", ">lines", ">accuracy", ">kappa", ">alpha", ">both text", ">only A", ">only B", ">both boilerplate")
	for i, g := range cmp.Agreements {
		lang := g.Lang
		if i == 0 {
			lang = "all"
		} else if lang == "" {
			lang = "-"
		}
		t.Add(lang, strconv.Itoa(g.Documents), strconv.Itoa(g.Lines), share(g.Accuracy(), true), share(g.Kappa()), share(g.Alpha()),
			strconv.Itoa(g.Counts[1][1]), strconv.Itoa(g.Counts[1][0]), strconv.Itoa(g.Counts[0][1]), strconv.Itoa(g.Counts[0][0]))
	}
	if err := t.Write(&out, ""); err != nil {
		return err
	}
	for _, o := range []struct {
		ids  []string
		path string
	}{{cmp.OnlyA, c.A}, {cmp.OnlyB, c.B}} {
		if len(o.ids) > 0 {
			fmt.Fprintf(&out, "only in %s: %s, first %s\n", o.path, count(int64(len(o.ids)), "document"), excerpt(o.ids[0], 40))
		}
	}
	c.list(&out, cmp.Differences)
	_, err = con.out.Write(out.Bytes())
	return err
}

// list lists the lines with different labels.
func (c *annotateAgreementCmd) list(out *bytes.Buffer, diff []annotate.Difference) {
	if len(diff) == 0 || c.Show == 0 {
		return
	}
	out.WriteString("\nA and B differ on:\n")
	for i, d := range diff {
		if c.Show >= 0 && i == c.Show {
			fmt.Fprintf(out, "and %s more: --show -1 lists all\n", count(int64(len(diff)-i), "line"))
			break
		}
		fmt.Fprintf(out, "%s:%d  %s / %s  %s\n", excerpt(d.Document, 40), d.Line, gold.LineLabel(d.A), gold.LineLabel(d.B), excerpt(d.Text, 100))
	}
}

// share writes a coefficient with three digits.
func share(x float64, ok bool) string {
	if !ok {
		return "-"
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}
