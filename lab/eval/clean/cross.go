package clean

import (
	"context"
	"fmt"
	"slices"

	"chaffinch/clean"
	"chaffinch/lab/gold"
	"chaffinch/lab/train"
	"chaffinch/page"
)

// Cross configures a cross-validation.
type Cross struct {
	// Folds is the number of folds.
	Folds int
	// By is "page", "site" or "set": the unit that is not divided between folds; see
	// [gold.Collection.Folds].
	By string
	// KeepHidden labels hidden blocks like others.
	KeepHidden bool
	// Sites gives the method the repetitions on the other pages of a site (see
	// [gold.Collection.CountSites]). Default: it labels each page alone. Training uses them in any
	// case.
	Sites bool
	// Workers is the number of pages labelled concurrently. Default: one per core.
	Workers int
	// Detail keeps the blocks for [Worst].
	Detail bool
	// Only selects the pages that are labelled; all pages are used for training. Default: all.
	Only func(it *gold.Item) bool
	// Progress may be nil.
	Progress func(step string, done, total int)
}

// CrossValidate cleans each page of c with the method trained on the pages of the other folds, and
// returns the outputs of the sets in the order of c.Sets; see [CrossLabel].
func CrossValidate(ctx context.Context, c *gold.Collection, name string, m train.Trainable, cfg Cross) ([]*Output, error) {
	made := make([]Prediction, len(c.Items))
	run, err := CrossLabel(ctx, c, name, m, cfg, func(i int, p *page.Page) { made[i] = fromPage(p, cfg.Detail) })
	if err != nil {
		return nil, err
	}
	outputs := make([]*Output, len(c.Sets))
	at := map[*gold.Set]*Output{}
	for i, s := range c.Sets {
		outputs[i] = &Output{Name: name, Pages: map[string]Prediction{}, Folds: map[string]int{}, Notes: []string{run.Note}}
		at[s] = outputs[i]
	}
	for i, it := range c.Items {
		o := at[it.Set]
		o.Pages[it.Gold.ID] = made[i]
		o.Folds[it.Gold.ID] = run.Folds[i] + 1
	}
	return outputs, nil
}

// CrossRun describes a cross-validation.
type CrossRun struct {
	// Folds is the fold of each item, from 0.
	Folds []int
	// Note is a remark for readers of the figures.
	Note string
}

// CrossLabel labels each page of c with the method trained on the pages of the other folds of all
// sets, and passes it to visit with its index in c.Items. The training pages never include a page
// of the same site (By "site") or a near-duplicate of the page. visit is called from several
// goroutines.
func CrossLabel(ctx context.Context, c *gold.Collection, name string, m train.Trainable, cfg Cross, visit func(i int, p *page.Page)) (CrossRun, error) {
	folds, err := c.Folds(cfg.Folds, cfg.By)
	if err != nil {
		return CrossRun{}, err
	}
	tell := cfg.Progress
	if tell == nil {
		tell = func(string, int, int) {}
	}
	t, err := m.Prepare(ctx, c.Items, tell)
	if err != nil {
		return CrossRun{}, fmt.Errorf("%s: %w", name, err)
	}
	copies := 0
	for k, split := range c.Splits(folds, cfg.Folds) {
		tell("fold", k, cfg.Folds)
		copies += split.Copies
		test := cfg.measured(c, split.Test)
		if len(test) == 0 {
			continue
		}
		trained, err := t.Train(ctx, split.Train, tell)
		if err == nil {
			err = LabelItems(ctx, c, test, trained, cfg, visit)
		}
		if err != nil {
			return CrossRun{}, fmt.Errorf("%s: fold %d of %d: %w", name, k+1, cfg.Folds, err)
		}
	}
	tell("fold", cfg.Folds, cfg.Folds)
	note := fmt.Sprintf("trained for each of %d folds on the pages of the others", cfg.Folds)
	if len(c.Sets) > 1 {
		note += fmt.Sprintf(", of %d sets together", len(c.Sets))
	}
	if cfg.By == "site" || cfg.By == "set" {
		note += ", no " + cfg.By + " on both sides"
	}
	if copies > 0 {
		note += fmt.Sprintf("; near-duplicates of measured pages left out of training: %d", copies)
	}
	return CrossRun{folds, note}, nil
}

// measured returns the items to label.
func (cfg *Cross) measured(c *gold.Collection, items []int) []int {
	if cfg.Only == nil {
		return items
	}
	return slices.DeleteFunc(slices.Clone(items), func(i int) bool { return !cfg.Only(c.Items[i]) })
}

// LabelItems labels the pages of c with the given indexes by the policy of their set, and passes
// each to visit from several goroutines. The labels remain in the blocks of the collection until
// they are labelled again.
func LabelItems(ctx context.Context, c *gold.Collection, items []int, trained train.Trained, cfg Cross, visit func(i int, p *page.Page)) error {
	stages := map[string]*clean.Stage{}
	for _, i := range items {
		policy := c.Items[i].Set.Keep
		if stages[policy] == nil {
			l, err := trained.Labeller(policy)
			if err != nil {
				return err
			}
			stages[policy] = &clean.Stage{Labeller: l, KeepHidden: cfg.KeepHidden}
		}
	}
	errs := make([]error, len(items))
	err := each(ctx, len(items), cfg.Workers, func(n int) {
		it := c.Items[items[n]]
		p := *it.Page // the stage may drop the page, which other methods need unchanged
		if !cfg.Sites {
			p.SitePages = 0
		}
		if errs[n] = stages[it.Set.Keep].Do(ctx, &p); errs[n] == nil {
			visit(items[n], &p)
		}
	})
	if err != nil {
		return err
	}
	for n, err := range errs {
		if err != nil {
			return fmt.Errorf("%s: %s: %w", c.Items[items[n]].Set.Name, c.Items[items[n]].Gold.ID, err)
		}
	}
	return nil
}
