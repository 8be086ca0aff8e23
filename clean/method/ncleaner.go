package method

import (
	"chaffinch/clean"
	"chaffinch/clean/ncleaner"
	"chaffinch/internal/settings"
)

func newNCleaner(o Options) (clean.Labeller, error) {
	cfg := ncleaner.Default
	if err := settings.Apply(o.Config, &cfg); err != nil {
		return nil, err
	}
	return ncleaner.New(cfg)
}
