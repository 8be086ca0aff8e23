package lines

import (
	"math"

	"chaffinch/lab/eval/stats"
)

// Comparison is the difference between two systems on the documents that both scored.
type Comparison struct {
	A, B string
	Docs int
	// Lines is the difference in the fraction of right lines, Documents the mean difference over
	// documents, both as means over the seeds.
	Lines, Documents float64
	// Paired is the paired t test over documents, with the mean accuracy over the seeds for each.
	// Ranks is the signed-rank test on the same differences.
	Paired, Ranks stats.Test
	// Seeds is the one-sample t test of the thesis: the accuracies of A's seeds against the mean of
	// B's. P is NaN for a single seed.
	Seeds stats.Test
	// OnlyA and OnlyB count the lines that only one of the two gets right, with the first seed of
	// each. McNemar tests them.
	OnlyA, OnlyB int
	McNemar      stats.Test
}

// Compare tests the difference between two results on the same set. Documents that one of them did
// not score are omitted.
func Compare(a, b *Result) Comparison {
	c := Comparison{A: a.Title(), B: b.Title()}
	var diffs []float64
	counts := [2][]Counts{make([]Counts, len(a.Runs)), make([]Counts, len(b.Runs))}
	for i, d := range a.Set.Docs {
		x, y := a.docAccuracy(i), b.docAccuracy(i)
		if math.IsNaN(x) || math.IsNaN(y) {
			continue
		}
		c.Docs++
		diffs = append(diffs, x-y)
		for n, r := range []*Result{a, b} {
			for k, run := range r.Runs {
				if run.Scores[i] != nil {
					counts[n][k].plus(countLines(d.Labels, run.Scores[i]))
				}
			}
		}
		p, q := a.Runs[0].Scores[i], b.Runs[0].Scores[i]
		for n := range min(len(p), len(q)) {
			right, other := (p[n] >= threshold) == d.Labels[n], (q[n] >= threshold) == d.Labels[n]
			switch {
			case right && !other:
				c.OnlyA++
			case other && !right:
				c.OnlyB++
			}
		}
	}
	accuracies := func(list []Counts) (out []float64) {
		for _, c := range list {
			out = append(out, c.Accuracy())
		}
		return out
	}
	of, other := accuracies(counts[0]), stats.Mean(accuracies(counts[1]))
	c.Lines, c.Documents = stats.Mean(of)-other, stats.Mean(diffs)
	c.Paired, c.Ranks = stats.PairedT(diffs), stats.SignedRank(diffs)
	c.Seeds = stats.OneSampleT(of, other)
	c.McNemar = stats.McNemar(c.OnlyA, c.OnlyB)
	return c
}
