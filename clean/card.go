package clean

import "encoding/json"

// HasCards is implemented by labellers whose models have model cards. A card lists the pages
// that a model was trained on, so that a method is not scored on them.
type HasCards interface {
	// Cards returns the cards of all models that the method may use.
	Cards() []json.RawMessage
}

// Cards returns the model cards of all methods.
func (v Vote) Cards() (cards []json.RawMessage) {
	for _, m := range v.Methods {
		if c, ok := m.(HasCards); ok {
			cards = append(cards, c.Cards()...)
		}
	}
	return cards
}

// Cards returns the model cards of the wrapped method.
func (s OneLanguage) Cards() []json.RawMessage {
	if c, ok := s.Labeller.(HasCards); ok {
		return c.Cards()
	}
	return nil
}
