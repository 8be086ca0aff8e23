package corpus

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"chaffinch/internal/report"
	"chaffinch/internal/table"
)

// WriteText writes the comparison as tables for a terminal, with at most rows
// rows per table. 0 means no limit.
func (c *Comparison) WriteText(w io.Writer, rows int) error {
	b := bufio.NewWriter(w)
	if c.Where != "" {
		fmt.Fprintf(b, "where %s\n\n", c.Where)
	}
	t := table.New("", ">before", ">after", ">kept")
	if c.Before.Documents > 0 {
		t.Add("documents", report.Grouped(c.Before.Documents), report.Grouped(c.After.Documents), percent(c.KeptDocuments()))
	}
	t.Add("tokens", report.Grouped(c.Before.Tokens), report.Grouped(c.After.Tokens), percent(c.KeptTokens()))
	t.Add("different "+c.Attr+"s", report.Grouped(c.Before.Types), report.Grouped(c.After.Types), percent(report.Share(c.After.Types, c.Before.Types)))
	t.Write(b, "")
	for _, n := range c.Notes {
		fmt.Fprintf(b, "\nnote: %s\n", n)
	}
	b.WriteString("\nPhrases" + chosen(c.PhrasesChosen) + "\n")
	t = table.New("phrase", ">hits/M before", ">hits/M after", ">kept", ">hits before", ">hits after")
	for _, p := range c.Phrases {
		t.Add(p.Phrase, perMillion(p.BeforePerMillion), perMillion(p.AfterPerMillion), keptOf(p.Kept, p.Before), report.Grouped(p.Before), report.Grouped(p.After))
	}
	t.Write(b, "  ")
	for _, x := range c.Collocates {
		fmt.Fprintf(b, "\nCollocates of %s, %s%s: %s hits before, %s after\n", x.Query, c.window(), chosen(c.CollocatesChosen), report.Grouped(x.BeforeHits), report.Grouped(x.AfterHits))
		t = table.New("", "before", ">hits", ">"+c.measure().Name, ">rank after", "  after", ">hits", ">"+c.measure().Name, ">rank before")
		for i := range atMost(max(len(x.Before), len(x.After)), rows) {
			cells := []string{strconv.Itoa(i + 1)}
			for k, side := range [][]RankedCollocate{x.Before, x.After} {
				if i >= len(side) {
					cells = append(cells, "", "", "", "")
					continue
				}
				r := side[i]
				cells = append(cells, [2]string{"", "  "}[k]+r.Word, report.Grouped(r.Hits), fmt.Sprintf("%.2f", r.Score), rank(r.OtherRank))
			}
			t.Add(cells...)
		}
		t.Write(b, "  ")
	}
	for i, list := range [][]*Keywords{c.Removed, c.Kept} {
		for n, k := range list {
			what := [2]string{"removed", "kept"}[i]
			fmt.Fprintf(b, "\nKeywords of the %s text: %s\n", what, sequences[n])
			other := [2]string{"kept", "removed"}[i]
			t = table.New("", ">"+what, ">"+other, ">"+what+"/M", ">"+other+"/M", ">"+KeynessMeasures[k.Sort].Name)
			for _, r := range k.Rows[:atMost(len(k.Rows), rows)] {
				t.Add(r.Word, report.Grouped(r.Freq), report.Grouped(r.RefFreq), perMillion(r.PerMillion), perMillion(r.RefPerMillion), fmt.Sprintf("%.2f", r.Scores[k.Sort]))
			}
			t.Write(b, "  ")
		}
	}
	for _, x := range c.Breakdowns {
		fmt.Fprintf(b, "\nBy %s (%s values), those first that have lost most\n", x.Attr, report.Grouped(int64(x.Values)))
		t = table.New("", ">tokens before", ">tokens after", ">kept")
		for _, r := range x.Rows[:atMost(len(x.Rows), rows)] {
			t.Add(withoutMiddle(orNone(r.Value), maxValue), report.Grouped(r.Before.Tokens), report.Grouped(r.After.Tokens), keptOf(r.Kept, r.Before.Tokens))
		}
		t.Write(b, "  ")
	}
	if d := c.Documents; d != nil {
		fmt.Fprintf(b, "\nHow much is left of a document\n")
		t = table.New("", ">documents")
		t.Add("nothing", report.Grouped(d.Gone))
		for i, n := range d.Bins {
			t.Add(binName(i), report.Grouped(n))
		}
		t.Add("all", report.Grouped(d.Whole))
		t.Write(b, "  ")
	}
	return b.Flush()
}

func chosen(yes bool) string {
	if yes {
		return " (the most changed ones; others can be named)"
	}
	return ""
}

func binName(i int) string {
	if i == 0 {
		return "up to 10 %"
	}
	return fmt.Sprintf("%d to %d %%", 10*i, 10*i+10)
}

func atMost(n, limit int) int {
	if limit > 0 {
		return min(n, limit)
	}
	return n
}

// measure returns the measure that ranks collocates.
func (c *Comparison) measure() Measure { return Measures[max(MeasureByName(c.Measure), 0)] }

// window describes the window of the collocates.
func (c *Comparison) window() string {
	s := fmt.Sprintf("window %d to %d", c.From, c.To)
	if c.Within != "" {
		s += " within " + c.Within
	}
	return s
}

func rank(r int) string {
	if r == 0 {
		return "-"
	}
	return strconv.Itoa(r)
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}

// maxValue is the maximum number of columns of a value in the text.
const maxValue = 60

// percent formats a share as a percentage.
func percent(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + " %" }

// keptOf formats the share of whole that remains. It returns "" if whole is 0.
func keptOf(x float64, whole int64) string {
	if whole == 0 {
		return "-"
	}
	return percent(x)
}

// perMillion formats hits per million tokens with two digits after the point. A
// positive value is never formatted as zero.
func perMillion(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 0.005:
		return "<0.01"
	case x < 1000:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return report.Grouped(int64(x + 0.5))
}
