package method

import (
	"encoding/json"
	"fmt"

	"chaffinch/clean"
	"chaffinch/internal/settings"
)

// AllConfig is the Options.Config of the method all: the configurations of its methods.
type AllConfig struct {
	Perplexity json.RawMessage `json:"perplexity,omitempty"`
	NCleaner   json.RawMessage `json:"ncleaner,omitempty"`
	Justext    json.RawMessage `json:"justext,omitempty"`
}

// newAll returns the vote of the three published methods.
func newAll(o Options) (clean.Labeller, error) {
	var cfg AllConfig
	if err := settings.Apply(o.Config, &cfg); err != nil {
		return nil, err
	}
	var vote clean.Vote
	for _, m := range []struct {
		name string
		o    Options
		make func(Options) (clean.Labeller, error)
	}{
		{"perplexity", Options{Config: cfg.Perplexity}, newPerplexity},
		{"ncleaner", Options{Lang: o.Lang, Config: cfg.NCleaner}, newNCleaner},
		{"justext", Options{Lang: o.Lang, Config: cfg.Justext}, newJustext},
	} {
		l, err := m.make(m.o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		vote.Methods = append(vote.Methods, l)
	}
	return vote, nil
}
