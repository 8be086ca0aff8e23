package lines

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// table returns a writer of right-aligned columns.
func table(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
}

// end flushes the table and writes an empty line.
func end(t *tabwriter.Writer, w io.Writer) error {
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

// percent formats a fraction in percent, with its standard deviation if there are several runs.
func percent(m, sd float64, runs int) string {
	switch {
	case math.IsNaN(m):
		return "-"
	case runs < 2:
		return fmt.Sprintf("%.2f", 100*m)
	}
	return fmt.Sprintf("%.2f ±%.2f", 100*m, 100*sd)
}

// cell formats a figure of a group.
func (g Group) cell(of func(Counts) float64) string {
	m, sd := g.mean(of)
	return percent(m, sd, len(g.Counts))
}

// byProtocol groups the results by protocol in order of appearance.
func byProtocol(results []*Result) (out [][]*Result) {
	at := map[string]int{}
	for _, r := range results {
		i, ok := at[r.Protocol]
		if !ok {
			i = len(out)
			at[r.Protocol] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], r)
	}
	return out
}

// heading returns the description of a protocol.
func heading(protocol string) string {
	i := slices.IndexFunc(Protocols, func(p Protocol) bool { return p.Name == protocol })
	if i < 0 {
		return protocol
	}
	return protocol + ": " + Protocols[i].Help
}

// WriteLanguages writes the accuracy by language, a table for each protocol: of all lines, the mean
// of the languages, and each language, together with the figures of the thesis.
func WriteLanguages(w io.Writer, results []*Result) error {
	for _, of := range byProtocol(results) {
		langs := of[0].Set.langs()
		fmt.Fprintf(w, "%s\naccuracy of lines, %%\n", heading(of[0].Protocol))
		t := table(w)
		fmt.Fprintf(t, "system\tdocs\tlines\tall\tmean\t%s\t\n", strings.Join(langs, "\t"))
		for _, r := range of {
			all, groups := r.over("all", nil), r.byLang()
			m, sd := langMean(groups)
			fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t", r.System, all.Docs, all.Lines(), all.cell(Counts.Accuracy), percent(m, sd, len(r.Runs)))
			for _, lang := range langs {
				k := slices.IndexFunc(groups, func(g Group) bool { return g.Name == lang })
				if k < 0 {
					fmt.Fprint(t, "-\t")
				} else {
					fmt.Fprintf(t, "%s\t", groups[k].cell(Counts.Accuracy))
				}
			}
			fmt.Fprintln(t)
		}
		thesisLine(t, of[0].Protocol, langs)
		if err := end(t, w); err != nil {
			return err
		}
	}
	return nil
}

// thesisLine writes the row of table 8 of the thesis for a protocol.
func thesisLine(w io.Writer, protocol string, langs []string) {
	for _, row := range thesis {
		if row.Protocol != protocol {
			continue
		}
		cells := []string{"thesis' LSTM*", "", "", "-", "-"}
		if v, ok := row.Lang[""]; ok {
			cells[3] = fmt.Sprintf("%.0f ±%.1f", 100*v[0], 100*v[1])
		}
		sum, n := 0.0, 0
		for _, l := range langs {
			v, ok := row.Lang[l]
			if !ok {
				cells = append(cells, "-")
				continue
			}
			sum, n = sum+v[0], n+1
			cells = append(cells, fmt.Sprintf("%.0f ±%.1f", 100*v[0], 100*v[1]))
		}
		if n == 0 {
			return
		}
		cells[4] = fmt.Sprintf("%.1f", 100*sum/float64(n))
		fmt.Fprintf(w, "%s\t\n", strings.Join(cells, "\t"))
		return
	}
}

// WriteMeasures writes all measures of each result over all lines.
func WriteMeasures(w io.Writer, results []*Result) error {
	t := table(w)
	fmt.Fprint(t, "all lines, %\t")
	for _, m := range Measures {
		fmt.Fprintf(t, "%s\t", m.Name)
	}
	fmt.Fprintln(t)
	for _, r := range results {
		fmt.Fprintf(t, "%s\t", r.Title())
		g := r.over("all", nil)
		for _, m := range Measures {
			fmt.Fprintf(t, "%s\t", g.cell(m.Of))
		}
		fmt.Fprintln(t)
	}
	return end(t, w)
}

// WriteConfusion writes the confusion matrix of a result, with the fraction of all lines in each
// cell.
func WriteConfusion(w io.Writer, r *Result) error {
	c := r.over("all", nil).Sum()
	seeds := ""
	if n := len(r.Runs); n > 1 {
		seeds = fmt.Sprintf(", %d seeds together", n)
	}
	fmt.Fprintf(w, "%s: %d lines%s\n", r.Title(), c.Lines(), seeds)
	t := table(w)
	cell := func(n int) string { return fmt.Sprintf("%d (%.2f %%)", n, 100*share(n, c.Lines())) }
	fmt.Fprintf(t, "\ttext\tboilerplate\tprecision\t\n")
	fmt.Fprintf(t, "taken for text\t%s\t%s\t%s\t\n", cell(c.TP), cell(c.FP), percent(c.Text().Precision(), 0, 1))
	fmt.Fprintf(t, "taken for boilerplate\t%s\t%s\t%s\t\n", cell(c.FN), cell(c.TN), percent(c.boilerplate().Precision(), 0, 1))
	fmt.Fprintf(t, "recall\t%s\t%s\t\t\n", percent(c.Text().recall(), 0, 1), percent(c.boilerplate().recall(), 0, 1))
	return end(t, w)
}

// WriteGroups writes figures by length of the document, number of the line and length of the line.
func WriteGroups(w io.Writer, r *Result) error {
	for _, by := range []struct {
		title  string
		groups []Group
	}{{"lines of the document", r.byDocLength()}, {"number of the line", r.byPosition()}, {"characters of the line", r.byLineLength()}} {
		t := table(w)
		fmt.Fprintf(t, "%s: %s\tdocs\tlines\ttext, %%\tacc\ttext_f\tbp_f\t\n", r.Title(), by.title)
		for _, g := range by.groups {
			sum := g.Sum()
			fmt.Fprintf(t, "%s\t%d\t%d\t%.1f\t%s\t%s\t%s\t\n", g.Name, g.Docs, g.Lines(), 100*share(sum.TP+sum.FN, sum.Lines()),
				g.cell(Counts.Accuracy), g.cell(func(c Counts) float64 { return c.Text().f1() }), g.cell(func(c Counts) float64 { return c.boilerplate().f1() }))
		}
		if err := end(t, w); err != nil {
			return err
		}
	}
	return nil
}

// WriteRegisters writes the mean accuracy of the documents of each register by language, together
// with the figures of the thesis.
func WriteRegisters(w io.Writer, r *Result) error {
	t := table(w)
	fmt.Fprintf(t, "%s: accuracy of documents, %%", r.Title())
	for _, reg := range registers {
		fmt.Fprintf(t, "\t%s", reg.Tag)
	}
	fmt.Fprintln(t, "\t")
	for _, lang := range append(r.Set.langs(), "") {
		figures := r.byRegister(lang)
		if !slices.ContainsFunc(figures, func(f RegisterFigure) bool { return f.Docs > 0 }) {
			continue
		}
		name := lang
		if lang == "" {
			name = "all"
		}
		fmt.Fprintf(t, "%s", name)
		for _, f := range figures {
			fmt.Fprintf(t, "\t%s", percent(f.Mean, f.SD, len(r.Runs)))
		}
		fmt.Fprintf(t, "\t\n%s: documents", name)
		for _, f := range figures {
			fmt.Fprintf(t, "\t%d", f.Docs)
		}
		fmt.Fprintln(t, "\t")
		if row, ok := thesisRegisters[r.Protocol][lang]; ok {
			fmt.Fprintf(t, "%s: thesis' LSTM*", name)
			for _, v := range row {
				fmt.Fprintf(t, "\t%.0f", 100*v)
			}
			fmt.Fprintln(t, "\t")
		}
	}
	return end(t, w)
}
