package recipe

import (
	"chaffinch/clean"
	"chaffinch/clean/ncleaner"
)

func newNCleaner(o Options) (clean.Labeller, error) {
	cfg := ncleaner.Default
	if err := configure(o.Config, &cfg); err != nil {
		return nil, err
	}
	return ncleaner.New(cfg)
}
