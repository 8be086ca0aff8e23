package method

import (
	"fmt"
	"strings"

	"chaffinch/clean"
	"chaffinch/clean/perplexity"
	"chaffinch/internal/settings"
	"chaffinch/model/data"
)

// newPerplexity makes the method of one model. The embedded ones speak one
// language, so the blocks of pages in another one get no label, unless the
// caller has named a language or a model.
func newPerplexity(o Options) (clean.Labeller, error) {
	cfg := perplexity.Default
	if o.Lang != "" {
		cfg.Model, _, _ = strings.Cut(o.Lang, "-")
	}
	named := cfg.Model
	if err := settings.Lay(o.Config, &cfg); err != nil {
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
	return clean.OneLanguage{Labeller: l, Lang: named}, nil // nobody has said that the pages are English
}
