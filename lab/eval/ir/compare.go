package ir

import (
	"math"

	"chaffinch/lab/eval/stats"
)

// Difference is how a run differs from another by a measure.
type Difference struct {
	Measure string
	// Value is the run's mean, Base the other's.
	Value float64
	Base  float64
	// Wilcoxon and T are the probabilities of the signed-rank test and of the paired
	// t test; the names with Holm are corrected for the runs compared by this measure.
	Wilcoxon     float64
	T            float64
	WilcoxonHolm float64
	THolm        float64
}

// Arrow marks the difference by the signed-rank test, as the paper's tables do.
func (d Difference) Arrow() string { return stats.Arrow(d.Value-d.Base, d.Wilcoxon, d.WilcoxonHolm) }

// Compare compares runs with the first by each measure: a list for each of the
// other runs, in the order of [Measures]. All are of the same judgements.
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
				// What only the last bits tell apart must tie: .6 - .4 and .4 - .2.
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
