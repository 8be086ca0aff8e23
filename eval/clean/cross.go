package clean

import (
	"context"
	"fmt"

	"chaffinch/clean"
	"chaffinch/gold"
)

// Cross is a cross-validation.
type Cross struct {
	// Folds is the number of parts that the pages are cut into.
	Folds int
	// By is "page" or "site": what stays in one fold; see
	// [gold.Collection.Folds].
	By string
	// KeepHidden labels blocks that the page does not show like the others.
	KeepHidden bool
	// Workers is how many pages are labelled at once, 0 for one for each core.
	Workers int
	// Detail keeps what [Worst] shows of single blocks.
	Detail bool
	// Progress may be nil.
	Progress clean.Progress
}

// CrossValidate cleans each page of c with the method trained on the pages of
// the other folds alone, of all sets together, and returns what it kept of the
// pages of each set, in the order of c.Sets. In no fold the method has seen the
// pages of a site that it is measured on (By "site"), and never a near-duplicate of
// a page.
func CrossValidate(ctx context.Context, c *gold.Collection, name string, m clean.Trainable, cfg Cross) ([]*Output, error) {
	folds, err := c.Folds(cfg.Folds, cfg.By)
	if err != nil {
		return nil, err
	}
	tell := cfg.Progress
	if tell == nil {
		tell = func(string, int, int) {}
	}
	t, err := m.Prepare(ctx, c.Items, tell)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	made := make([]Prediction, len(c.Items))
	copies := 0
	for k, split := range c.Splits(folds, cfg.Folds) {
		tell("fold", k, cfg.Folds)
		copies += split.Copies
		trained, err := t.Train(ctx, split.Train, tell)
		if err != nil {
			return nil, fmt.Errorf("%s: fold %d of %d: %w", name, k+1, cfg.Folds, err)
		}
		if err := label(ctx, c, split.Test, trained, cfg, made); err != nil {
			return nil, fmt.Errorf("%s: fold %d of %d: %w", name, k+1, cfg.Folds, err)
		}
	}
	tell("fold", cfg.Folds, cfg.Folds)
	note := fmt.Sprintf("trained anew for each of %d folds, on the pages of the others", cfg.Folds)
	if len(c.Sets) > 1 {
		note += fmt.Sprintf(", of %d sets together", len(c.Sets))
	}
	if cfg.By == "site" {
		note += ", no site on both sides"
	}
	if copies > 0 {
		note += fmt.Sprintf("; near-duplicates of measured pages left out of training: %d", copies)
	}
	outputs := make([]*Output, len(c.Sets))
	at := map[*gold.Set]*Output{}
	for i, s := range c.Sets {
		outputs[i] = &Output{Name: name, Pages: map[string]Prediction{}, Folds: map[string]int{}, Notes: []string{note}}
		at[s] = outputs[i]
	}
	for i, it := range c.Items {
		o := at[it.Set]
		o.Pages[it.Gold.ID] = made[i]
		o.Folds[it.Gold.ID] = folds[i] + 1
	}
	return outputs, nil
}

// label cleans the test pages of a fold.
func label(ctx context.Context, c *gold.Collection, test []int, trained clean.Trained, cfg Cross, made []Prediction) error {
	stages := map[string]*clean.Stage{}
	for _, i := range test {
		policy := c.Items[i].Set.Keep
		if stages[policy] == nil {
			l, err := trained.Labeller(policy)
			if err != nil {
				return err
			}
			stages[policy] = &clean.Stage{Labeller: l, KeepHidden: cfg.KeepHidden}
		}
	}
	errs := make([]error, len(test))
	err := each(ctx, len(test), cfg.Workers, func(n int) {
		it := c.Items[test[n]]
		p := *it.Page // the stage may drop it, another method's must see it as it was
		if errs[n] = stages[it.Set.Keep].Do(ctx, &p); errs[n] == nil {
			made[test[n]] = fromPage(&p, cfg.Detail)
		}
	})
	if err != nil {
		return err
	}
	for n, err := range errs {
		if err != nil {
			return fmt.Errorf("%s: %s: %w", c.Items[test[n]].Set.Name, c.Items[test[n]].Gold.ID, err)
		}
	}
	return nil
}
