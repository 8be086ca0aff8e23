package blocks

import (
	"context"
	"strings"

	"chaffinch/clean"
	"chaffinch/internal/parallel"
	"chaffinch/lab/gold"
)

// Learner is the method as one that learns from pages. It satisfies
// clean.Trainable. Config.Model is not read.
type Learner struct {
	Config
	TrainConfig
	// Base is a model to adapt with the settings of AdaptConfig instead of
	// training one, nil for none.
	Base        *Model      `json:"-"`
	AdaptConfig AdaptConfig `json:"adapt"`
}

// Prepare reads the pages.
func (l Learner) Prepare(ctx context.Context, items []*gold.Item, progress clean.Progress) (clean.Trainer, error) {
	t := trainer{l, make([][]*Example, len(items))}
	errs := make([]error, len(items))
	parallel.Each(l.Workers, len(items), func(i int) {
		it := items[i]
		if ctx.Err() == nil && it.Gold.Fits(it.Set.Name) {
			for _, g := range goldsOf(it) {
				x, err := NewExample(it.Page, g)
				if err != nil {
					errs[i] = err
					return
				}
				t.examples[i] = append(t.examples[i], x)
			}
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return t, ctx.Err()
}

// goldsOf returns what the set says of a page. Forum posts and comments are
// lent to the policy that keeps them, articles with comments to that of any page too.
func goldsOf(it *gold.Item) []Gold {
	g := Gold{
		Text: it.Gold.Text, Comments: it.Gold.Comments, Commented: it.Gold.Commented,
		Policy: Article, Keep: it.Set.Keep, Convention: it.Set.Convention, Weight: it.Set.Weight, Site: it.Site, Type: it.Gold.Field("page_type"),
		Roles: it.Gold.Roles,
	}
	if g.Site == "" {
		g.Site = it.Set.Name + "/" + it.Gold.ID
	}
	switch it.Set.Policy {
	case gold.Text:
		g.Policy, g.Convention = Text, ""
		return []Gold{g}
	case gold.Main:
		g.Policy = Main
	}
	said := strings.TrimSpace(g.Comments) != ""
	golds := []Gold{g}
	lend := func(policy, text string) {
		x := g
		x.Policy, x.Keep, x.Convention, x.Lent, x.Text = policy, policy, "", true, text
		golds = append(golds, x)
	}
	if g.Type == "forum" || said {
		lend(Text, g.Text+"\n"+g.Comments)
	}
	if g.Policy == Article && said {
		lend(Main, g.Text)
	}
	return golds
}

type trainer struct {
	Learner
	examples [][]*Example
}

// Train trains a model.
func (t trainer) Train(ctx context.Context, items []int, progress clean.Progress) (clean.Trained, error) {
	var part []*Example
	for _, i := range items {
		part = append(part, t.examples[i]...)
	}
	if t.Base != nil {
		m, err := Adapt(ctx, t.AdaptConfig, t.Base, part, progress)
		return trained{t.Learner, m}, err
	}
	m, err := Train(ctx, t.TrainConfig, part, progress)
	return trained{t.Learner, m}, err
}

type trained struct {
	Learner
	*Model
}

// Labeller returns the labeller that keeps what the policy keeps.
func (t trained) Labeller(policy string) (clean.Labeller, error) {
	cfg := t.Config
	cfg.Keep = policy
	return NewWith(t.Model, cfg)
}
