package lines

import (
	"math"

	"chaffinch/eval/floors"
)

// Floored returns the figures of the results that get floors: of the first run
// of each.
func Floored(results []*Result) (out []floors.System) {
	for _, r := range results {
		first := *r
		first.Runs = r.Runs[:1]
		all, langs := first.Over("", nil), first.ByLang()
		s := floors.System{Name: r.Title(), Figures: map[string]float64{}}
		for _, m := range Measures {
			switch m.Name {
			case "acc", "text_f", "bp_f":
				if v, _ := all.Mean(m.Of); !math.IsNaN(v) {
					s.Figures[m.Name] = v
				}
			}
		}
		if mean, _ := LangMean(langs); !math.IsNaN(mean) {
			s.Figures["mean"] = mean
		}
		for _, g := range langs {
			s.Figures["acc "+g.Name], _ = g.Mean(Counts.Accuracy)
		}
		out = append(out, s)
	}
	return out
}
