package clean

import "encoding/json"

// Carded is a Labeller whose models have model cards. Who scores a method
// reads in them on which pages the models were trained.
type Carded interface {
	// Cards returns the cards of all models that the method may use.
	Cards() []json.RawMessage
}

// Cards returns the cards of all methods.
func (v Vote) Cards() (cards []json.RawMessage) {
	for _, m := range v.Methods {
		if c, ok := m.(Carded); ok {
			cards = append(cards, c.Cards()...)
		}
	}
	return cards
}

// Cards returns the cards of the method.
func (s Speaks) Cards() []json.RawMessage {
	if c, ok := s.Labeller.(Carded); ok {
		return c.Cards()
	}
	return nil
}
