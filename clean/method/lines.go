package method

import (
	"cmp"

	"chaffinch/clean"
	"chaffinch/clean/lines"
	"chaffinch/internal/settings"
)

func newLines(o Options) (clean.Labeller, error) {
	cfg := lines.Default
	if err := settings.Lay(o.Config, &cfg); err != nil {
		return nil, err
	}
	cfg.Lang = cmp.Or(o.Lang, cfg.Lang)
	return lines.New(cfg)
}

// trainLines takes the settings of the labeller and of the training in one
// object.
func trainLines(o Options) (clean.Trainable, error) {
	l := lines.DefaultLearner
	if err := settings.Lay(o.Config, &l); err != nil {
		return nil, err
	}
	l.Lang = cmp.Or(o.Lang, l.Lang)
	return l, nil
}
