package lines

import (
	"math"

	"chaffinch/lab/eval/floors"
)

// splitSuffix is the suffix of the names of systems measured with Plan.Split.
const splitSuffix = "/split"

// Floored returns the figures that have floors, of the first run of each result, under the title of
// the system. With Plan.Split, "/split" is appended.
func Floored(results []*Result, p Plan) (out []floors.System) {
	for _, r := range results {
		first := *r
		first.Runs = r.Runs[:1]
		all, langs := first.over("", nil), first.byLang()
		s := floors.System{Name: r.Title(), Figures: map[string]float64{}}
		if p.Split {
			s.Name += splitSuffix
		}
		for _, m := range Measures {
			switch m.Name {
			case "acc", "text_f", "bp_f":
				if v, _ := all.mean(m.Of); !math.IsNaN(v) {
					s.Figures[m.Name] = v
				}
			}
		}
		if mean, _ := langMean(langs); !math.IsNaN(mean) {
			s.Figures["mean"] = mean
		}
		for _, g := range langs {
			s.Figures["acc "+g.Name], _ = g.mean(Counts.Accuracy)
		}
		out = append(out, s)
	}
	return out
}
