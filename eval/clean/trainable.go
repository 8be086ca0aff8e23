package clean

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"chaffinch/clean"
	"chaffinch/clean/ncleaner"
	"chaffinch/gold"
	"chaffinch/recipe"
)

// trainables is the table of methods that learn from pages, by the names of
// recipe.Methods.
var trainables = []struct {
	name string
	new  func(config json.RawMessage) (Trainable, error)
}{
	{"ncleaner", newNCleaner},
	{"all", newVote},
}

// Trainables returns the names of the methods that learn from pages.
func Trainables() []string {
	var names []string
	for _, t := range trainables {
		names = append(names, t.name)
	}
	return names
}

// IsTrainable reports whether a method, named as NAME or NAME{JSON}, learns
// from pages.
func IsTrainable(method string) bool {
	name, _ := splitMethod(method)
	return slices.Contains(Trainables(), name)
}

// NewTrainable makes the method named as NAME or NAME{JSON}.
func NewTrainable(method string) (Trainable, error) {
	name, config := splitMethod(method)
	for _, t := range trainables {
		if t.name == name {
			m, err := t.new(json.RawMessage(config))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", method, err)
			}
			return m, nil
		}
	}
	return nil, fmt.Errorf("method %s learns from no pages: those that do are %s", name, strings.Join(Trainables(), ", "))
}

// decode lays the JSON object over the defaults in cfg.
func decode(config json.RawMessage, cfg any) error {
	if len(config) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(config))
	d.DisallowUnknownFields()
	if err := d.Decode(cfg); err != nil {
		return fmt.Errorf("config: %w", err)
	}
	return nil
}

// nCleaner is ncleaner as a method to be trained: how the labeller works, and
// how the models are estimated.
type nCleaner struct {
	ncleaner.Config
	ncleaner.ModelConfig
	vote *clean.Vote // in which it takes the place of ncleaner's own, or nil
}

func newNCleaner(config json.RawMessage) (Trainable, error) {
	m := nCleaner{Config: ncleaner.Default, ModelConfig: ncleaner.DefaultModel}
	if err := decode(config, &m); err != nil {
		return nil, err
	}
	switch m.Config.Model {
	case "auto", "en":
	case "nonlexical":
		m.NonLexical = true
	default:
		return nil, fmt.Errorf("cross-validation trains its own models: leave out the model %s", filepath.Base(m.Config.Model))
	}
	return m, nil
}

func newVote(config json.RawMessage) (Trainable, error) {
	l, err := recipe.Labeller("all", recipe.Options{Config: config})
	if err != nil {
		return nil, err
	}
	v, ok := l.(clean.Vote)
	if !ok {
		return nil, fmt.Errorf("method all is %s and no vote", l.Name())
	}
	return nCleaner{ncleaner.Default, ncleaner.DefaultModel, &v}, nil
}

// Prepare counts the n-grams of all pages.
func (m nCleaner) Prepare(_ context.Context, items []*gold.Item, _ Progress) (Trainer, error) {
	examples := make([]ncleaner.Example, len(items))
	for i, it := range items {
		examples[i] = ncleaner.Example{Page: it.Page, Clean: ncleaner.GoldLines(it.Gold.Text)}
	}
	t, err := ncleaner.NewTrainer(m.ModelConfig, examples)
	return nCleanerTrainer{m, t, len(items)}, err
}

type nCleanerTrainer struct {
	nCleaner
	*ncleaner.Trainer
	pages int
}

// Train estimates a pair of models.
func (t nCleanerTrainer) Train(_ context.Context, train []int) (Trained, error) {
	in := make([]bool, t.pages)
	for _, i := range train {
		in[i] = true
	}
	var held []int
	for i := range in {
		if !in[i] {
			held = append(held, i)
		}
	}
	model, err := t.Without(held)
	return nCleanerTrained{t.nCleaner, model}, err
}

type nCleanerTrained struct {
	nCleaner
	model *ncleaner.Model
}

// Labeller returns ncleaner, or the vote with it; the policy makes no
// difference to it.
func (t nCleanerTrained) Labeller(string) (clean.Labeller, error) {
	l := ncleaner.WithModel(t.Config, t.model)
	if t.vote == nil {
		return l, nil
	}
	var v clean.Vote
	for _, m := range t.vote.Methods {
		if _, ok := m.(*ncleaner.Labeller); ok {
			m = l
		}
		v.Methods = append(v.Methods, m)
	}
	return v, nil
}
