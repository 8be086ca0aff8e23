package method

import (
	"cmp"

	"chaffinch/clean"
	"chaffinch/clean/lines"
	"chaffinch/internal/settings"
)

func newLines(o Options) (clean.Labeller, error) {
	cfg := lines.Default
	if err := settings.Apply(o.Config, &cfg); err != nil {
		return nil, err
	}
	cfg.Lang = cmp.Or(o.Lang, cfg.Lang)
	return lines.New(cfg)
}
