package lm

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// Card is what programs read of a model's card.
type Card struct {
	// Limits says below which perplexity which share of clean sentences lies,
	// each sentence by itself and none of them in the training text. The keys
	// are shares: "0.95", "0.99".
	Limits map[string]float64 `json:"limits,omitempty"`
}

// Card returns the card of the model; a model without one has an empty card.
func (m *Model) Card() (c Card, err error) {
	if m.File == nil || len(m.File.Card) == 0 {
		return c, nil
	}
	if err = json.Unmarshal(m.File.Card, &c); err != nil {
		err = fmt.Errorf("model %s: card: %w", m.File.Name, err)
	}
	return c, err
}

// Limit returns the perplexity below which the share keep of clean sentences
// lies, as the card states it.
func (m *Model) Limit(keep float64) (float64, error) {
	c, err := m.Card()
	if err != nil {
		return 0, err
	}
	limit, ok := c.Limits[strconv.FormatFloat(keep, 'g', -1, 64)]
	if !ok {
		return 0, fmt.Errorf("model %s: its card states no limit that keeps %g %% of clean sentences: "+
			"give a limit, or find one with \"chaffinch perplexity --calibrate\"", m.File.Name, 100*keep)
	}
	return limit, nil
}
