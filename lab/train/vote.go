package train

import (
	"context"
	"errors"
	"fmt"

	"chaffinch/clean"
	"chaffinch/clean/method"
	"chaffinch/clean/ncleaner"
	"chaffinch/internal/settings"
	"chaffinch/lab/gold"
)

// newAll returns the vote with a trainable ncleaner.
func newAll(o method.Options) (Trainable, error) {
	var cfg method.AllConfig
	if err := settings.Apply(o.Config, &cfg); err != nil {
		return nil, err
	}
	t, err := newNCleaner(method.Options{Config: cfg.NCleaner})
	if err != nil {
		return nil, fmt.Errorf("ncleaner: %w", err)
	}
	l, err := method.New("all", o)
	if err != nil {
		return nil, errors.Unwrap(err) // New of this package adds the name of the method
	}
	return learningVote{l.(clean.Vote), t}, nil
}

// learningVote is a vote in which the method ncleaner is trained.
type learningVote struct {
	clean.Vote
	ncleaner Trainable
}

// Prepare prepares ncleaner.
func (v learningVote) Prepare(ctx context.Context, items []*gold.Item, progress func(step string, done, total int)) (Trainer, error) {
	t, err := v.ncleaner.Prepare(ctx, items, progress)
	return voteTrainer{v.Vote, t}, err
}

type voteTrainer struct {
	clean.Vote
	Trainer
}

// Train trains ncleaner.
func (v voteTrainer) Train(ctx context.Context, items []int, progress func(step string, done, total int)) (Trained, error) {
	t, err := v.Trainer.Train(ctx, items, progress)
	return trainedVote{v.Vote, t}, err
}

type trainedVote struct {
	clean.Vote
	Trained
}

// Labeller returns the vote with the trained ncleaner instead of its own.
func (v trainedVote) Labeller(policy string) (clean.Labeller, error) {
	l, err := v.Trained.Labeller(policy)
	var out clean.Vote
	for _, m := range v.Methods {
		if _, ok := m.(*ncleaner.Labeller); ok {
			m = l
		}
		out.Methods = append(out.Methods, m)
	}
	return out, err
}
