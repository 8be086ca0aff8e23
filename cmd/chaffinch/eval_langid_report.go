package main

import (
	"fmt"
	"io"
	"strings"

	evallangid "chaffinch/lab/eval/langid"
)

// langidReport prints the tables of "eval langid".
type langidReport struct {
	w   io.Writer
	err io.Writer // speeds
	set *evallangid.Set
	cmd *evalLangidCmd
}

func (p *langidReport) score(a *evallangid.Answers, only map[string]bool) *evallangid.Result {
	return evallangid.Score(p.set, a, evallangid.Config{Only: only, MinConfidence: p.cmd.MinConfidence})
}

// systems prints a line for each system.
func (p *langidReport) systems(results []*evallangid.Result) error {
	t := columns(p.w)
	fmt.Fprintln(t, "system\tlangs\tpieces\tacc\trec\tF1\t95 %\tcover\tprec\t")
	for _, r := range results {
		if mb := r.Speed.MB(); mb > 0 {
			fmt.Fprintf(p.err, "%s: %.3g MB/s\n", r.System, mb)
		}
		low, high := r.Interval()
		fmt.Fprintf(t, "%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f-%.2f\t%.2f\t%.2f\t\n", r.System, r.Langs, r.Pieces,
			100*r.Accuracy(), 100*r.MacroRecall(), 100*r.MacroF1(), 100*low, 100*high, 100*r.Coverage(), 100*r.Precision())
	}
	return p.end(t)
}

// noise prints the answers for the texts in no language, if there are any.
func (p *langidReport) noise(all []*evallangid.Answers) error {
	t := columns(p.w)
	fmt.Fprintln(t, "no language\tsystem\tpieces\tzxx\tund\taccepted\t")
	some := false
	for _, a := range all {
		for _, n := range evallangid.NoiseOf(p.set, a, evallangid.Config{MinConfidence: p.cmd.MinConfidence}) {
			some = true
			share := func(k int) float64 { return 100 * float64(k) / float64(max(1, n.Pieces)) }
			fmt.Fprintf(t, "%s\t%s\t%d\t%.2f\t%.2f\t%.2f\t\n", n.Code, a.System, n.Pieces, share(n.Noise), share(n.Unknown), 100*n.Accepted())
		}
	}
	if !some {
		return nil
	}
	return p.end(t)
}

// pairs prints our detector beside each other one, over the languages that both
// know: accuracy and F1 of the one that always answers, precision and coverage
// of the one that abstains.
func (p *langidReport) pairs(all []*evallangid.Answers, only map[string]bool) error {
	abstains, always := all[0], all[1]
	t := columns(p.w)
	fmt.Fprintln(t, "both support\tlangs\tpieces\tacc\tours\tF1\tours\tprec\tours\tcover\tours\t")
	for _, a := range all[2:] {
		common := both(only, evallangid.Known(p.set, always, a))
		r, f, o := p.score(a, common), p.score(always, common), p.score(abstains, common)
		fmt.Fprintf(t, "%s\t%d\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t\n", r.System, r.Langs, r.Pieces, 100*r.Accuracy(), 100*f.Accuracy(),
			100*r.MacroF1(), 100*f.MacroF1(), 100*r.Precision(), 100*o.Precision(), 100*r.Coverage(), 100*o.Coverage())
	}
	return p.end(t)
}

// perLanguage prints a line for each language.
func (p *langidReport) perLanguage(r *evallangid.Result) error {
	t := columns(p.w)
	fmt.Fprintln(t, "lang\tpieces\tP\tR\tF1\ttaken for\t")
	taken := map[string][]string{}
	for _, c := range r.Confusions(0) {
		if len(taken[c.Gold]) < 4 {
			taken[c.Gold] = append(taken[c.Gold], fmt.Sprintf("%s %d", c.Answer, c.Pieces))
		}
	}
	for _, l := range r.Sorted() {
		c := r.ByLang[l]
		fmt.Fprintf(t, "%s\t%d\t%.2f\t%.2f\t%.2f\t%s\t\n", l, c.Gold, 100*c.Precision(), 100*c.Recall(), 100*c.F1(), strings.Join(taken[l], ", "))
	}
	return p.end(t)
}

// confusions prints the most frequent ones.
func (p *langidReport) confusions(r *evallangid.Result) error {
	t := columns(p.w)
	fmt.Fprintln(t, "lang\tanswer\tpieces\tshare\t")
	for _, c := range r.Confusions(p.cmd.Confusions) {
		fmt.Fprintf(t, "%s\t%s\t%d\t%.2f\t\n", c.Gold, c.Answer, c.Pieces, 100*c.Share)
	}
	return p.end(t)
}

// groups prints a table for each group: what our detector answers, if it always
// does, then how much is right by
// each system that knows all of it.
func (p *langidReport) groups(all []*evallangid.Answers, only map[string]bool) error {
	tables := make([]map[string]evallangid.Table, len(all))
	for i, a := range all {
		tables[i] = map[string]evallangid.Table{}
		for _, g := range evallangid.Tables(p.set, a, evallangid.Config{Only: both(only, a.Langs), MinConfidence: p.cmd.MinConfidence}) {
			tables[i][g.Group.Name] = g
		}
	}
	for _, g := range evallangid.Groups {
		ours, ok := tables[1][g.Name]
		if !ok {
			continue
		}
		t := columns(p.w)
		fmt.Fprintf(t, "%s\t%s\tother\tund\t\n", g.Name, strings.Join(g.Langs, "\t"))
		for i, row := range ours.Rows {
			fmt.Fprintf(t, "%s\t%s\t\n", g.Langs[i], strings.Trim(strings.ReplaceAll(fmt.Sprint(row), " ", "\t"), "[]"))
		}
		if err := t.Flush(); err != nil {
			return err
		}
		var right []string
		for i := range all {
			if g, ok := tables[i][g.Name]; ok {
				share, n := g.Right()
				low, high := g.Interval()
				right = append(right, fmt.Sprintf("%s %.2f of %d, F1 %.2f (%.2f-%.2f)", all[i].System, 100*share, n, 100*g.MacroF1(), 100*low, 100*high))
			}
		}
		if _, err := fmt.Fprintf(p.w, "right: %s\n\n", strings.Join(right, "; ")); err != nil {
			return err
		}
	}
	return nil
}

// end prints the table and an empty line.
func (p *langidReport) end(t interface{ Flush() error }) error {
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.w)
	return err
}
