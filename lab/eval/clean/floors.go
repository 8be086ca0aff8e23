package clean

import "chaffinch/lab/eval/floors"

// Fingerprint returns the fingerprint of the set as read. It is valid only before [Set.Only].
func (s *Set) Fingerprint() floors.Fingerprint {
	f := floors.Fingerprint{SHA256: s.SHA256, Pages: len(s.Pages)}
	for _, g := range s.Pages {
		f.GoldWords += len(alignmentWords(g.Text))
	}
	return f
}

// floored lists the metrics with floors, if they apply.
var floored = []string{"lev", "w_p", "w_r", "w_f", "rg_f", "sh_f", "bw_f", "sn_with", "sn_without", "tag_f", "seg_f", "seg_acc"}

// Floored returns the figures of the results that have floors.
func Floored(results []*Result) []floors.System {
	systems := make([]floors.System, len(results))
	for i, r := range results {
		systems[i] = floors.System{Name: r.System, Figures: map[string]float64{}}
		for _, name := range floored {
			if v, ok := r.Values[name]; ok {
				systems[i].Figures[name] = v.Value
			}
		}
	}
	return systems
}
