package recipe

import (
	"fmt"
	"strings"

	"chaffinch/clean"
	"chaffinch/clean/perplexity"
	"chaffinch/model/data"
)

func newPerplexity(o Options) (clean.Labeller, error) {
	cfg := perplexity.Default
	if o.Lang != "" {
		cfg.Model, _, _ = strings.Cut(o.Lang, "-")
	}
	named := cfg.Model
	if err := configure(o.Config, &cfg); err != nil {
		return nil, err
	}
	if _, ok := data.Words(named); !ok && cfg.Model == named {
		return nil, fmt.Errorf("no embedded model for language %q, those here are %v: "+
			"make one with \"chaffinch train words\" and name the file as \"model\" in the config", o.Lang, data.WordModels())
	}
	return perplexity.New(cfg)
}
