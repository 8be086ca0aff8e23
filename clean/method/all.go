package method

import (
	"context"
	"encoding/json"
	"fmt"

	"chaffinch/clean"
	"chaffinch/clean/ncleaner"
	"chaffinch/internal/settings"
	"chaffinch/lab/gold"
)

// AllConfig is what Options.Config holds for the method all: the
// configurations of its methods.
type AllConfig struct {
	Perplexity json.RawMessage `json:"perplexity,omitempty"`
	NCleaner   json.RawMessage `json:"ncleaner,omitempty"`
	Justext    json.RawMessage `json:"justext,omitempty"`
}

// newAll makes the vote of the three published methods.
func newAll(o Options) (clean.Labeller, error) {
	var cfg AllConfig
	if err := settings.Lay(o.Config, &cfg); err != nil {
		return nil, err
	}
	var vote clean.Vote
	for _, m := range []struct {
		name string
		o    Options
		make func(Options) (clean.Labeller, error)
	}{
		{"perplexity", Options{Config: cfg.Perplexity}, newPerplexity},
		{"ncleaner", Options{Lang: o.Lang, Config: cfg.NCleaner}, newNCleaner},
		{"justext", Options{Lang: o.Lang, Config: cfg.Justext}, newJustext},
	} {
		l, err := m.make(m.o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		vote.Methods = append(vote.Methods, l)
	}
	return vote, nil
}

// trainAll makes the vote with an ncleaner that learns.
func trainAll(o Options) (clean.Trainable, error) {
	var cfg AllConfig
	if err := settings.Lay(o.Config, &cfg); err != nil {
		return nil, err
	}
	t, err := trainNCleaner(Options{Config: cfg.NCleaner})
	if err != nil {
		return nil, fmt.Errorf("ncleaner: %w", err)
	}
	l, err := newAll(o)
	if err != nil {
		return nil, err
	}
	return learningVote{l.(clean.Vote), t}, nil
}

// learningVote is a vote in which the method ncleaner learns.
type learningVote struct {
	clean.Vote
	ncleaner clean.Trainable
}

// Prepare prepares ncleaner.
func (v learningVote) Prepare(ctx context.Context, items []*gold.Item, progress clean.Progress) (clean.Trainer, error) {
	t, err := v.ncleaner.Prepare(ctx, items, progress)
	return voteTrainer{v.Vote, t}, err
}

type voteTrainer struct {
	clean.Vote
	clean.Trainer
}

// Train trains ncleaner.
func (v voteTrainer) Train(ctx context.Context, items []int, progress clean.Progress) (clean.Trained, error) {
	t, err := v.Trainer.Train(ctx, items, progress)
	return trainedVote{v.Vote, t}, err
}

type trainedVote struct {
	clean.Vote
	clean.Trained
}

// Labeller returns the vote with the trained ncleaner in the place of its own.
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
