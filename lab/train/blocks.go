package train

import (
	"cmp"
	"context"
	"strings"

	"chaffinch/clean"
	"chaffinch/clean/blocks"
	"chaffinch/internal/parallel"
	"chaffinch/lab/gold"
	trainblocks "chaffinch/lab/train/blocks"
)

// Blocks trains the method blocks on pages. Config.Model is ignored.
type Blocks struct {
	blocks.Config
	trainblocks.TrainConfig
	// Base is a model to adapt with AdaptConfig instead of training a new one; nil trains a new
	// model.
	Base        *blocks.Model           `json:"-"`
	AdaptConfig trainblocks.AdaptConfig `json:"adapt"`
}

// Prepare computes the examples of the pages.
func (l Blocks) Prepare(ctx context.Context, items []*gold.Item, progress func(step string, done, total int)) (Trainer, error) {
	t := blocksTrainer{l, make([][]*trainblocks.Example, len(items))}
	errs := make([]error, len(items))
	parallel.Each(l.Workers, len(items), func(i int) {
		it := items[i]
		if ctx.Err() == nil && it.Gold.Fits(it.Set.Name) {
			for _, g := range BlockGolds(it) {
				x, err := trainblocks.NewExample(it.Page, g)
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

// BlockGolds returns the gold of a page for each policy that is trained on it. Forum posts and
// comments are also used for the policy that keeps them, articles with comments for the policy for
// pages of any kind.
func BlockGolds(it *gold.Item) []trainblocks.Gold {
	g := trainblocks.Gold{
		Text: it.Gold.Text, Comments: it.Gold.Comments, Commented: it.Gold.Commented,
		Policy: blocks.Article, Keep: it.Set.Keep, Convention: it.Set.Convention, Weight: it.Set.Weight, Site: it.Site, Type: it.Gold.Field("page_type"),
		Roles: gold.RolesOf(it.Page, it.Gold.Roles),
	}
	g.Site = cmp.Or(g.Site, it.Set.Name+"/"+it.Gold.ID)
	switch it.Set.Policy {
	case gold.Text:
		g.Policy, g.Convention = blocks.Text, ""
		return []trainblocks.Gold{g}
	case gold.Main:
		g.Policy = blocks.Main
	}
	said := strings.TrimSpace(g.Comments) != ""
	golds := []trainblocks.Gold{g}
	lend := func(policy, text string) {
		x := g
		x.Policy, x.Keep, x.Convention, x.Lent, x.Text = policy, policy, "", true, text
		golds = append(golds, x)
	}
	if g.Type == "forum" || said {
		lend(blocks.Text, g.Text+"\n"+g.Comments)
	}
	if g.Policy == blocks.Article && said {
		lend(blocks.Main, g.Text)
	}
	return golds
}

type blocksTrainer struct {
	Blocks
	examples [][]*trainblocks.Example
}

// Train trains a model.
func (t blocksTrainer) Train(ctx context.Context, items []int, progress func(step string, done, total int)) (Trained, error) {
	var part []*trainblocks.Example
	for _, i := range items {
		part = append(part, t.examples[i]...)
	}
	if t.Base != nil {
		m, err := trainblocks.Adapt(ctx, t.AdaptConfig, t.Base, part, progress)
		return TrainedBlocks{t.Blocks, m}, err
	}
	m, err := trainblocks.Train(ctx, t.TrainConfig, part, progress)
	return TrainedBlocks{t.Blocks, m}, err
}

// TrainedBlocks is a model of the method blocks.
type TrainedBlocks struct {
	Blocks
	*blocks.Model
}

// Labeller returns a labeller with the given policy, unless the settings name one.
func (t TrainedBlocks) Labeller(policy string) (clean.Labeller, error) {
	cfg := t.Config
	cfg.Keep = cmp.Or(cfg.Keep, policy)
	return blocks.NewWith(t.Model, cfg)
}
