package filter

import (
	"strings"

	"chaffinch/translated"
)

// machineTranslated finds the scores of the group translated.
func machineTranslated(s *Scorer, _ *doc, out []float64) {
	clear(out)
	machine, plugins := translated.Parse(s.in.Translated)
	if len(machine) > 0 {
		out[0] = 1
	}
	if len(plugins) > 0 {
		out[1] = 1
	}
}

// marked names the marks that speak for a score of the group translated.
func (s *Scorer) marked(score string) string {
	machine, plugins := translated.Parse(s.in.Translated)
	if score == "translated.plugin" {
		machine = plugins
	}
	return strings.Join(machine, ", ")
}
