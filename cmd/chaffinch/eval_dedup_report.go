package main

import (
	"fmt"
	"io"
	"unicode/utf8"

	evaldedup "chaffinch/lab/eval/dedup"
	"chaffinch/lab/eval/floors"
)

// dedupReport prints the tables of "eval dedup".
type dedupReport struct {
	w     io.Writer
	err   io.Writer // speeds
	truth *evaldedup.Truth
	// floored holds the printed figures of our methods, for floors.
	floored []floors.System
}

// systems prints a line for each system.
func (p *dedupReport) systems(all []*evaldedup.Answers) error {
	set := p.truth.Set
	removable, near := 0, 0
	for i, c := range p.truth.Cluster {
		if c != i {
			removable++
		}
	}
	for _, x := range p.truth.Pairs {
		if x.Jaccard >= evaldedup.Threshold {
			near++
		}
	}
	fmt.Fprintf(p.w, "%s half, seed %d: %d documents from %d, %d near-duplicate pairs, %d documents to remove, sha256 %.12s…\n",
		set.Config.Half, set.Config.Seed, len(set.Docs), set.Bases, near, removable, set.Digest())
	t := columns(p.w)
	fmt.Fprintln(t, "system\tpairs P\tR\tF\tcopies P\tR\tB3\tARI\tremoved P\tR\tF\twords P\tR\tF\t")
	for _, a := range all {
		r := evaldedup.Score(p.truth, a)
		if a.Ours {
			p.floored = append(p.floored, r.Floored())
		}
		fmt.Fprintf(t, "%s\t", r.System)
		if r.Clusters {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t", pct(r.Pairs.P()), pct(r.Pairs.R()), pct(r.Pairs.F()), pct(r.Copies.P()), pct(r.Copies.R()), pct(r.BCubed()), pct(r.Rand))
		} else {
			fmt.Fprint(t, "-\t-\t-\t-\t-\t-\t-\t")
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t\n", pct(r.Removed.P()), pct(r.Removed.R()), pct(r.Removed.F()), pct(r.Paras.P()), pct(r.Paras.R()), pct(r.Paras.F()))
		if a.CPU > 0 {
			fmt.Fprintf(p.err, "%s: %.0f documents per second of processor time\n", r.System, float64(len(set.Docs))/a.CPU)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.w)
	return err
}

// pct writes a share in percent.
func pct(v float64) string { return fmt.Sprintf("%.1f", 100*v) }

// kinds prints the results of the systems for each kind of document: documents in one
// cluster with their nearest document, and removed words.
func (p *dedupReport) kinds(all []*evaldedup.Answers) error {
	results := make([]*evaldedup.Result, len(all))
	for i, a := range all {
		results[i] = evaldedup.Score(p.truth, a)
	}
	for _, table := range []struct {
		title string
		cell  func(r *evaldedup.Result, k evaldedup.KindResult) string
	}{
		{"in one cluster with its nearest document", func(r *evaldedup.Result, k evaldedup.KindResult) string {
			if !r.Clusters || k.Jaccard == 0 {
				return "-"
			}
			return pct(k.Found)
		}},
		{"in one cluster with an unrelated one", func(r *evaldedup.Result, k evaldedup.KindResult) string {
			if !r.Clusters {
				return "-"
			}
			return pct(k.Wrong)
		}},
		{"words removed", func(r *evaldedup.Result, k evaldedup.KindResult) string { return pct(k.Words) }},
	} {
		t := columns(p.w)
		fmt.Fprintf(t, "%s\tdocs\tmean J\tJ >= 70\t", table.title)
		for _, r := range results {
			fmt.Fprintf(t, "%s\t", r.System)
		}
		fmt.Fprintln(t)
		for i, k := range results[0].Kinds {
			fmt.Fprintf(t, "%s\t%d\t%s\t%s\t", k.Kind, k.Docs, pct(k.Jaccard), pct(k.Near))
			for _, r := range results {
				fmt.Fprintf(t, "%s\t", table.cell(r, r.Kinds[i]))
			}
			fmt.Fprintln(t)
		}
		if err := t.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(p.w)
	}
	return nil
}

// worst prints pairs that a system gets wrong, with their beginnings.
func (p *dedupReport) worst(a *evaldedup.Answers, n int) {
	for _, c := range evaldedup.Worst(p.truth, a, n) {
		what := "joins"
		if c.Missed {
			what = "misses"
		}
		fmt.Fprintf(p.w, "%s %s a pair with J = %s\n", a.System, what, pct(c.Jaccard))
		for _, i := range []int{c.A, c.B} {
			d := p.truth.Set.Docs[i]
			fmt.Fprintf(p.w, "  %s %s, %s, %s: %s\n", d.ID, d.Kind, d.Lang, count(int64(d.Words()), "word"), head(d.Text(), 160))
		}
	}
}

// head returns the first n characters of a text.
func head(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q…", string([]rune(s)[:n]))
}
