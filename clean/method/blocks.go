package method

import (
	"cmp"

	"chaffinch/clean"
	"chaffinch/clean/blocks"
	"chaffinch/internal/settings"
)

// blocksConfig overrides cfg with the options that are set.
func blocksConfig(o Options, cfg *blocks.Config) {
	cfg.Keep = cmp.Or(o.Keep, cfg.Keep)
	cfg.Favour = cmp.Or(o.Favour, cfg.Favour)
}

func newBlocks(o Options) (clean.Labeller, error) {
	cfg := blocks.Default
	if err := settings.Apply(o.Config, &cfg); err != nil {
		return nil, err
	}
	blocksConfig(o, &cfg)
	return blocks.New(cfg)
}
