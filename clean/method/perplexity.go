package method

import (
	"fmt"
	"strings"

	"chaffinch/clean"
	"chaffinch/clean/perplexity"
	"chaffinch/internal/settings"
	"chaffinch/model/data"
)

// newPerplexity returns the method perplexity. The embedded models are for one language, so
// blocks of pages in other languages are labelled Unknown, unless o names a language or a
// model.
func newPerplexity(o Options) (clean.Labeller, error) {
	cfg := perplexity.Default
	if o.Lang != "" {
		cfg.Model, _, _ = strings.Cut(o.Lang, "-")
	}
	named := cfg.Model
	if err := settings.Apply(o.Config, &cfg); err != nil {
		return nil, err
	}
	if _, ok := data.Words(named); !ok && cfg.Model == named {
		return nil, fmt.Errorf("no embedded model for language %q; %s: "+
			"make one with \"chaffinch train words\" and name the file as \"model\" in the config", named, data.WordModels())
	}
	l, err := perplexity.New(cfg)
	if err != nil || cfg.Model != named || o.Lang != "" {
		return l, err
	}
	return clean.OneLanguage{Labeller: l, Lang: named}, nil // the caller has not stated that the pages are English
}
