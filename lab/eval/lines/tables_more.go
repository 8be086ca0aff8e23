package lines

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// probability formats the p-value of a test.
func probability(p float64) string {
	switch {
	case math.IsNaN(p):
		return "-"
	case p < 0.0001:
		return "<.0001"
	}
	return strings.TrimPrefix(fmt.Sprintf("%.4f", p), "0")
}

// WriteComparisons writes the tests of pairs of systems.
func WriteComparisons(w io.Writer, list []Comparison) error {
	for _, c := range list {
		fmt.Fprintf(w, "%s minus %s, %d documents\n", c.A, c.B, c.Docs)
		t := table(w)
		fmt.Fprintln(t, "test\tof\tdifference\tstatistic\tp\t")
		fmt.Fprintf(t, "paired t\taccuracy of documents\t%+.2f\tt(%d) = %.2f\t%s\t\n", 100*c.Documents, c.Paired.N-1, c.Paired.Statistic, probability(c.Paired.P))
		fmt.Fprintf(t, "signed ranks\taccuracy of documents\t%+.2f\tW = %.1f\t%s\t\n", 100*c.Documents, c.Ranks.Statistic, probability(c.Ranks.P))
		if math.IsNaN(c.Seeds.P) {
			fmt.Fprintf(t, "one-sample t\taccuracy of lines, by seed\t%+.2f\t-\ttakes two seeds\t\n", 100*c.Lines)
		} else {
			fmt.Fprintf(t, "one-sample t\taccuracy of lines, by seed\t%+.2f\tt(%d) = %.2f\t%s\t\n", 100*c.Lines, c.Seeds.N-1, c.Seeds.Statistic, probability(c.Seeds.P))
		}
		fmt.Fprintf(t, "McNemar\tlines that only one has right\t%d : %d\t\t%s\t\n", c.OnlyA, c.OnlyB, probability(c.McNemar.P))
		if err := end(t, w); err != nil {
			return err
		}
	}
	return nil
}

// WriteAblation writes the contribution of each group of columns.
func WriteAblation(w io.Writer, variants []Variant) error {
	t := table(w)
	full, _ := variants[0].Result.over("", nil).mean(Counts.Accuracy)
	fmt.Fprintf(t, "%s: groups of columns\tacc\tchange\tmean of languages\ttext_f\tbp_f\tpaired t: p\t\n", variants[0].Result.Title())
	for _, v := range variants {
		name := "all"
		if v.Group != "" {
			name = "without " + v.Group
		}
		if v.Alone {
			name = v.Group + " alone"
		}
		g := v.Result.over("", nil)
		m, _ := g.mean(Counts.Accuracy)
		lm, lsd := langMean(v.Result.byLang())
		change, p := "", ""
		if v.Group != "" {
			change, p = fmt.Sprintf("%+.2f", 100*(m-full)), probability(v.Test.Paired.P)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", name, g.cell(Counts.Accuracy), change, percent(lm, lsd, len(g.Counts)),
			g.cell(func(c Counts) float64 { return c.Text().f1() }), g.cell(func(c Counts) float64 { return c.boilerplate().f1() }), p)
	}
	return end(t, w)
}

// WriteAdaptation writes the curves of the languages.
func WriteAdaptation(w io.Writer, system string, curves []Curve) error {
	var counts []int
	for _, c := range curves {
		for _, p := range c.Points {
			counts = append(counts, p.Docs)
		}
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	t := table(w)
	fmt.Fprintf(t, "%s: documents of the language\tscored", system)
	for _, n := range counts {
		fmt.Fprintf(t, "\t%d", n)
	}
	fmt.Fprintln(t, "\t")
	for _, c := range curves {
		fmt.Fprintf(t, "%s\t%d", c.Lang, c.Held)
		for _, n := range counts {
			k := slices.IndexFunc(c.Points, func(p CurvePoint) bool { return p.Docs == n })
			if k < 0 {
				fmt.Fprint(t, "\t-")
			} else {
				fmt.Fprintf(t, "\t%s", percent(c.Points[k].Mean, c.Points[k].SD, len(c.Points[k].Values)))
			}
		}
		fmt.Fprintln(t, "\t")
	}
	return end(t, w)
}

// worst returns the documents scored in the first run, ordered by their number of errors there, the
// most first.
func (r *Result) worst() []int {
	var docs []int
	errors := make([]int, len(r.Set.Docs))
	for i, scores := range r.Runs[0].Scores {
		if scores != nil {
			c := countLines(r.Set.Docs[i].Labels, scores)
			errors[i] = c.FP + c.FN
			docs = append(docs, i)
		}
	}
	slices.SortStableFunc(docs, func(a, b int) int { return cmp.Compare(errors[b], errors[a]) })
	return docs
}

// halfOfErrors returns the number of documents, the worst first, and the fraction of lines with
// half of all errors of the first run, and the number of errors.
func (r *Result) halfOfErrors() (docs int, lines float64, errors int) {
	of := func(i int) Counts { return countLines(r.Set.Docs[i].Labels, r.Runs[0].Scores[i]) }
	var sum Counts
	for _, i := range r.worst() {
		sum.plus(of(i))
	}
	errors = sum.FP + sum.FN
	var part Counts
	for _, i := range r.worst() {
		if 2*(part.FP+part.FN) >= errors {
			break
		}
		part.plus(of(i))
		docs++
	}
	return docs, share(part.Lines(), sum.Lines()), errors
}

// Sizes of the excerpts of [WriteWorst].
const (
	worstLines = 6
	worstRunes = 90
)

// WriteWorst writes the n documents with the most errors, each with its worst lines: dropped text
// (-) and kept boilerplate (+), with the probability of text. The first line reports how few
// documents contain half of all errors.
func WriteWorst(w io.Writer, r *Result, n int) error {
	docs, lines, errors := r.halfOfErrors()
	fmt.Fprintf(w, "%s: half of the %d errors are in %d of %d documents, which have %.1f %% of the lines\n", r.Title(), errors, docs, len(r.worst()), 100*lines)
	for _, i := range r.worst()[:min(n, len(r.worst()))] {
		d, scores := r.Set.Docs[i], r.Runs[0].Scores[i]
		c := countLines(d.Labels, scores)
		if c.FP+c.FN == 0 {
			break
		}
		fmt.Fprintf(w, "%s: %s %s: %d of %d lines wrong: %d of text lost, %d of boilerplate kept\n", r.Title(), d.ID, strings.TrimSpace(d.Lang+" "+d.Register), c.FP+c.FN, c.Lines(), c.FN, c.FP)
		var wrong []int
		for k, x := range scores {
			if (x >= threshold) != d.Labels[k] {
				wrong = append(wrong, k)
			}
		}
		slices.SortStableFunc(wrong, func(a, b int) int {
			return cmp.Compare(math.Abs(float64(scores[b])-threshold), math.Abs(float64(scores[a])-threshold))
		})
		for _, k := range wrong[:min(worstLines, len(wrong))] {
			sign := "+"
			if d.Labels[k] {
				sign = "-"
			}
			fmt.Fprintf(w, "  %s line %-4d %.2f  %s\n", sign, k+1, scores[k], shorten(d.Lines[k]))
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// shorten removes the middle of a long line.
func shorten(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) <= worstRunes {
		return s
	}
	r := []rune(s)
	return string(r[:worstRunes*2/3]) + " … " + string(r[len(r)-worstRunes/3:])
}
