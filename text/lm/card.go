package lm

import (
	"encoding/json"
	"fmt"
)

// Card holds the parts of a model card that programs read. The whole card is build.Card.
type Card struct {
	// HeldOut measures how well the model fits single clean sentences that it was not trained
	// on.
	HeldOut struct {
		// Limit95 and Limit99 are perplexities that 95 % and 99 % of the
		// sentences do not exceed, 0 if unknown.
		Limit95 float64 `json:"limit95"`
		Limit99 float64 `json:"limit99"`
	} `json:"held_out"`
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

// Limit returns the perplexity that the share keep of clean sentences does not exceed,
// according to the card. keep is 0.95 or 0.99. A card without the limit is an error.
func (m *Model) Limit(keep float64) (float64, error) {
	c, err := m.Card()
	if err != nil {
		return 0, err
	}
	var limit float64
	switch keep {
	case .95:
		limit = c.HeldOut.Limit95
	case .99:
		limit = c.HeldOut.Limit99
	}
	if limit == 0 {
		return 0, fmt.Errorf("model %s: its card states no limit that keeps %g %% of clean sentences: "+
			"give a limit, or calibrate one on texts that are clean", m.File.Name, 100*keep)
	}
	return limit, nil
}
