package ncleaner

import (
	"context"

	"chaffinch/clean"
	"chaffinch/lab/gold"
)

// Learner is the method as one that learns from pages: how the labeller works,
// and how its pair of models is estimated. It satisfies clean.Trainable.
// Config.Model is not read.
type Learner struct {
	Config
	ModelConfig
}

// Prepare counts the n-grams of all pages.
func (l Learner) Prepare(_ context.Context, items []*gold.Item, _ clean.Progress) (clean.Trainer, error) {
	examples := make([]Example, len(items))
	for i, it := range items {
		examples[i] = Example{Page: it.Page, Clean: goldLines(it.Gold.Text)}
	}
	t, err := NewTrainer(l.ModelConfig, examples)
	return learning{l, t}, err
}

type learning struct {
	Learner
	t *Trainer
}

// Train estimates a pair of models.
func (l learning) Train(_ context.Context, items []int, _ clean.Progress) (clean.Trained, error) {
	in := make([]bool, len(l.t.pages))
	for _, i := range items {
		in[i] = true
	}
	var held []int
	for i := range in {
		if !in[i] {
			held = append(held, i)
		}
	}
	m, err := l.t.without(held)
	return learned{l.Learner, m}, err
}

type learned struct {
	Learner
	model *Model
}

// Labeller returns the labeller; the policy makes no difference to it.
func (l learned) Labeller(string) (clean.Labeller, error) { return WithModel(l.Config, l.model), nil }
