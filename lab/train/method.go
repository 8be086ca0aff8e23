package train

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"chaffinch/clean/method"
	"chaffinch/clean/ncleaner"
	"chaffinch/internal/settings"
	trainblocks "chaffinch/lab/train/blocks"
)

// table lists the trainable methods in the order of [method.Table]. Settings of the models that a
// method loads are ignored.
var table = []struct {
	name string
	make func(method.Options) (Trainable, error)
}{
	{"ncleaner", newNCleaner},
	{"all", newAll},
	{"blocks", newBlocks},
	{"lines", newLines},
}

// New returns the trainable method called name.
func New(name string, o method.Options) (Trainable, error) {
	for _, m := range table {
		if m.name == name {
			t, err := m.make(o)
			if err != nil {
				return nil, fmt.Errorf("method %s: %w", name, err)
			}
			return t, nil
		}
	}
	return nil, fmt.Errorf("method %q learns from no pages: take one of %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of the trainable methods.
func Names() []string {
	var names []string
	for _, m := range table {
		names = append(names, m.name)
	}
	return names
}

// newBlocks decodes the settings of the labeller and of the training from one object. Without keep,
// the labeller has the policy of each set.
func newBlocks(o method.Options) (Trainable, error) {
	l := Blocks{TrainConfig: trainblocks.DefaultTrain, AdaptConfig: trainblocks.DefaultAdapt}
	if err := settings.Apply(o.Config, &l); err != nil {
		return nil, err
	}
	l.Keep, l.Favour = cmp.Or(o.Keep, l.Keep), cmp.Or(o.Favour, l.Favour)
	return l, nil
}

// newLines decodes the settings of the labeller and of the training from one object.
func newLines(o method.Options) (Trainable, error) {
	l := defaultLines
	if err := settings.Apply(o.Config, &l); err != nil {
		return nil, err
	}
	l.Lang = cmp.Or(o.Lang, l.Lang)
	return l, nil
}

// newNCleaner decodes the settings of the labeller and of its models from one object.
func newNCleaner(o method.Options) (Trainable, error) {
	l := NCleaner{Config: ncleaner.Default, ModelConfig: ncleaner.DefaultModel}
	if err := settings.Apply(o.Config, &l); err != nil {
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
