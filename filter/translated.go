package filter

import (
	"strings"

	"chaffinch/extract/translated"
)

// machineTranslated computes the scores of the group translated.
func machineTranslated(s *Scorer, _ *doc, out []float64) {
	clear(out)
	n := translated.Parse(s.in.Translated)
	for i, names := range [][]string{n.Machine, n.Pasted, n.Plugins} {
		if len(names) > 0 {
			out[i] = 1
		}
	}
}

// marked names the marks that cause a score of the group translated.
func marked(s *Scorer, score string) string {
	n := translated.Parse(s.in.Translated)
	names := n.Machine
	switch score {
	case "pasted":
		names = n.Pasted
	case "plugin":
		names = n.Plugins
	}
	return strings.Join(names, ", ")
}
