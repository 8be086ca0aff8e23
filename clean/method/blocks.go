package method

import (
	"cmp"

	"chaffinch/clean"
	"chaffinch/clean/blocks"
	"chaffinch/internal/settings"
)

// blocksConfig lays the options that have flags over the configuration.
func blocksConfig(o Options, cfg *blocks.Config) {
	cfg.Keep = cmp.Or(o.Keep, cfg.Keep)
	cfg.Favour = cmp.Or(o.Favour, cfg.Favour)
}

func newBlocks(o Options) (clean.Labeller, error) {
	cfg := blocks.Default
	if err := settings.Lay(o.Config, &cfg); err != nil {
		return nil, err
	}
	blocksConfig(o, &cfg)
	return blocks.New(cfg)
}

// trainBlocks takes the settings of the labeller and of the training in one
// object.
func trainBlocks(o Options) (clean.Trainable, error) {
	l := blocks.Learner{Config: blocks.Default, TrainConfig: blocks.DefaultTrain, AdaptConfig: blocks.DefaultAdapt}
	if err := settings.Lay(o.Config, &l); err != nil {
		return nil, err
	}
	blocksConfig(o, &l.Config)
	return l, nil
}
