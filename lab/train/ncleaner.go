package train

import (
	"context"

	"chaffinch/clean"
	"chaffinch/clean/ncleaner"
	"chaffinch/lab/gold"
	trainncleaner "chaffinch/lab/train/ncleaner"
)

// NCleaner trains the method ncleaner on pages: the settings of the labeller and of the estimation
// of its models. Config.Model is ignored.
type NCleaner struct {
	ncleaner.Config
	ncleaner.ModelConfig
}

// Prepare counts the n-grams of all pages.
func (l NCleaner) Prepare(_ context.Context, items []*gold.Item, _ func(step string, done, total int)) (Trainer, error) {
	examples := make([]trainncleaner.Example, len(items))
	for i, it := range items {
		examples[i] = trainncleaner.Example{Page: it.Page, Clean: trainncleaner.CleanLines(it.Gold.Text)}
	}
	t, err := trainncleaner.NewTrainer(l.ModelConfig, examples)
	return ncleanerTrainer{l, t, len(items)}, err
}

type ncleanerTrainer struct {
	NCleaner
	t     *trainncleaner.Trainer
	pages int
}

// Train estimates a pair of models.
func (l ncleanerTrainer) Train(_ context.Context, items []int, _ func(step string, done, total int)) (Trained, error) {
	in := make([]bool, l.pages)
	for _, i := range items {
		in[i] = true
	}
	var held []int
	for i := range in {
		if !in[i] {
			held = append(held, i)
		}
	}
	m, err := l.t.Without(held)
	return trainedNCleaner{l.NCleaner, m}, err
}

type trainedNCleaner struct {
	NCleaner
	model *ncleaner.Model
}

// Labeller returns the labeller, which is the same for all policies.
func (l trainedNCleaner) Labeller(string) (clean.Labeller, error) {
	return ncleaner.WithModel(l.Config, l.model), nil
}
