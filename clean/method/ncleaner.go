package method

import (
	"fmt"
	"path/filepath"

	"chaffinch/clean"
	"chaffinch/clean/ncleaner"
	"chaffinch/internal/settings"
)

func newNCleaner(o Options) (clean.Labeller, error) {
	cfg := ncleaner.Default
	if err := settings.Lay(o.Config, &cfg); err != nil {
		return nil, err
	}
	return ncleaner.New(cfg)
}

// trainNCleaner takes the settings of the labeller and of its models in one
// object.
func trainNCleaner(o Options) (clean.Trainable, error) {
	l := ncleaner.Learner{Config: ncleaner.Default, ModelConfig: ncleaner.DefaultModel}
	if err := settings.Lay(o.Config, &l); err != nil {
		return nil, err
	}
	switch l.Model {
	case "auto", "en":
	case "nonlexical":
		l.NonLexical = true
	default:
		return nil, fmt.Errorf("it is to be trained: leave out the model %s", filepath.Base(l.Model))
	}
	return l, nil
}
