package clean

import "encoding/json"

// HasCards is a Labeller whose models have model cards. Who scores a method
// reads in them on which pages the models were trained.
type HasCards interface {
	// Cards returns the cards of all models that the method may use.
	Cards() []json.RawMessage
}

// Cards returns the cards of all methods.
func (v Vote) Cards() (cards []json.RawMessage) {
	for _, m := range v.Methods {
		if c, ok := m.(HasCards); ok {
			cards = append(cards, c.Cards()...)
		}
	}
	return cards
}

// Cards returns the cards of the method.
func (s OneLanguage) Cards() []json.RawMessage {
	if c, ok := s.Labeller.(HasCards); ok {
		return c.Cards()
	}
	return nil
}
