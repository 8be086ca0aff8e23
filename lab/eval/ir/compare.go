package ir

import (
	"math"

	"chaffinch/lab/eval/stats"
)

// Difference is the difference between two runs by a measure.
type Difference struct {
	Measure string
	// Value is the mean of the run, Base the mean of the base run.
	Value float64
	Base  float64
	// Wilcoxon and T are the p-values of the signed-rank test and of the paired t test. The fields
	// with Holm are corrected for the number of runs compared by this measure.
	Wilcoxon     float64
	T            float64
	WilcoxonHolm float64
	THolm        float64
}

// Arrow marks the difference by the signed-rank test like the paper's tables.
func (d Difference) Arrow() string { return stats.Arrow(d.Value-d.Base, d.Wilcoxon, d.WilcoxonHolm) }

// Compare compares runs with the first run by each measure. It returns a list for each of the other
// runs, in the order of [Measures]. All runs must have the same judgements.
func Compare(runs []*Scores) [][]Difference {
	if len(runs) == 0 {
		return nil
	}
	out := make([][]Difference, len(runs)-1)
	for m, measure := range Measures {
		base := runs[0].Values[m]
		ws, ts := make([]float64, len(out)), make([]float64, len(out))
		for i, r := range runs[1:] {
			diffs := make([]float64, len(base))
			for t := range diffs {
				// Differences in the last bits only must tie: .6 - .4 and .4 - .2.
				diffs[t] = math.Round((r.Values[m][t]-base[t])*1e9) / 1e9
			}
			ws[i], ts[i] = stats.SignedRank(diffs).P, stats.PairedT(diffs).P
		}
		wh, th := stats.Holm(ws), stats.Holm(ts)
		for i, r := range runs[1:] {
			out[i] = append(out[i], Difference{measure.Name, stats.Mean(r.Values[m]), stats.Mean(base), ws[i], ts[i], wh[i], th[i]})
		}
	}
	return out
}
