package filter

import (
	"strings"

	"chaffinch/page/optout"
)

// refusals are the scores of the group optout.
var refusals = [...]struct {
	score, help string
	refuses     optout.Refusals
}{
	{"index", "1 where a page is not to be indexed: noindex, none", optout.Index},
	{"mining", "1 where text and data mining is reserved: tdm-reservation of 1, tdm=n", optout.Mining},
	{"training", "1 where training of models is refused: noai, train-ai=n, ai-train=no", optout.Training},
}

func refusalScores() (list []Score) {
	for _, r := range refusals {
		list = append(list, Score{r.score, r.help, atMost(0)})
	}
	return list
}

// optOut computes the scores of the group optout.
func optOut(s *Scorer, _ *doc, out []float64) {
	refused := optout.Refused(optout.Parse(s.in.Optout))
	for i, r := range refusals {
		out[i] = 0
		if refused&r.refuses != 0 {
			out[i] = 1
		}
	}
}

// saidNo returns the statements, with their places, that cause a score of the group optout.
func saidNo(s *Scorer, score string) string {
	var list []string
	for _, said := range optout.Parse(s.in.Optout) {
		for _, r := range refusals {
			if r.score == score && said.Refuses&r.refuses != 0 {
				list = append(list, said.Place+": "+said.Text)
			}
		}
	}
	return strings.Join(list, ", ")
}
