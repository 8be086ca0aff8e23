package lines

import (
	"encoding/json"
	"strings"

	"chaffinch/lab/eval/clean"
)

// TrainedOn reports whether a model, or the model that it was adapted from, was trained on the set
// according to its card: its "data" or "about" contains the name of the set.
func TrainedOn(set string, card []byte) bool {
	if clean.TrainedOn(set, card) {
		return true
	}
	var c struct {
		Data any             `json:"data"`
		Base json.RawMessage `json:"adapted_from"`
	}
	if json.Unmarshal(card, &c) != nil {
		return false
	}
	if text, ok := c.Data.(string); ok && strings.Contains(text, set) {
		return true
	}
	return len(c.Base) > 0 && TrainedOn(set, c.Base)
}
