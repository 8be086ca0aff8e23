package clean

import (
	"encoding/json"
	"strings"

	"chaffinch/clean"
	"chaffinch/lab/gold"
	"chaffinch/pipeline"
)

// describedAs maps sets to their descriptions in model cards without a list of data.
var describedAs = map[string]string{
	"cleaneval-en-dev": "English development pages of CleanEval",
}

// TrainedOn reports whether a model was trained on pages or gold texts of the set according to its
// card: the list "data" has a file with the name of the set, or the text "about" mentions the set.
func TrainedOn(set string, card json.RawMessage) bool {
	var c struct {
		About string
		Data  []struct{ Name string }
	}
	if json.Unmarshal(card, &c) != nil {
		return false
	}
	for _, d := range c.Data {
		if gold.SetName(d.Name) == set {
			return true
		}
	}
	other := describedAs[set]
	return strings.Contains(c.About, set) || other != "" && strings.Contains(c.About, other)
}

// seen returns a note if a model of the stages was trained on the set.
func seen(set string, stages []pipeline.Stage) []string {
	for _, st := range stages {
		label, ok := st.(*clean.Stage)
		if !ok {
			continue
		}
		models, ok := label.Labeller.(clean.HasCards)
		if !ok {
			continue
		}
		for _, card := range models.Cards() {
			if TrainedOn(set, card) {
				return []string{"trained on this set: the figures say nothing of other pages"}
			}
		}
	}
	return nil
}
