package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"chaffinch/clean/blocks"
	"chaffinch/lab/eval/stats"
	"chaffinch/lab/gold"
	trainblocks "chaffinch/lab/train/blocks"
	"chaffinch/page"
)

// draws is the number of random divisions of the pages of a fold into annotated and measured pages.
const draws = 4

// measured holds the results for a measured page in each draw: the score of the base and the gain
// of the tuned model, as the fraction of blocks with the right role, and as the F of text by words.
type measured struct{ base, gain, baseF, gainF []float64 }

// gains tunes the model with annotated pages and measures it on the rest of the fold.
func gains(ctx context.Context, c *gold.Collection, test []int, m *blocks.Model, l *blocks.Labeller, pages int, two bool) ([]*measured, error) {
	keep, err := page.ParseRoles("main")
	if err != nil {
		return nil, err
	}
	told := make([]trainblocks.LabelledPage, len(test))
	out := make([]*measured, len(test))
	for k, i := range test {
		p := c.Items[i].Page
		x := trainblocks.LabelledPage{}
		if x.Probabilities, err = l.Probabilities(ctx, p); err != nil {
			return nil, err
		}
		for b, r := range gold.RolesOf(p, c.Items[i].Gold.Roles) {
			x.Roles = append(x.Roles, may(r, keep, two && !p.Blocks[b].Hidden))
		}
		told[k], out[k] = x, &measured{}
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for range draws {
		order := rng.Perm(len(test))
		learn := make([]trainblocks.LabelledPage, 0, pages)
		for _, k := range order[:min(pages, len(order)*2/3)] {
			learn = append(learn, told[k])
		}
		tuned, err := trainblocks.Tune(ctx, m, learn)
		if err != nil {
			return nil, err
		}
		by, err := blocks.NewWith(tuned, blocks.Default)
		if err != nil {
			return nil, err
		}
		for _, k := range order[len(learn):] {
			it := c.Items[test[k]]
			after, err := by.Probabilities(ctx, it.Page)
			if err != nil {
				return nil, err
			}
			a, f := score(it, told[k].Probabilities, keep)
			a2, f2 := score(it, after, keep)
			x := out[k]
			x.base, x.gain, x.baseF, x.gainF = append(x.base, a), append(x.gain, a2-a), append(x.baseF, f), append(x.gainF, f2-f)
		}
	}
	return out, nil
}

const allRoles = ^page.Roles(0)

// may returns the possible roles of a block for a label: the role, or with two labels the roles of
// text or of boilerplate.
func may(r page.Role, keep page.Roles, two bool) page.Roles {
	switch {
	case r == page.NoRole:
		return 0
	case !two:
		return page.RolesOf(r)
	case keep.Has(r):
		return keep
	}
	return allRoles &^ keep
}

// score returns the fraction of blocks whose most probable role is right, and the F by words of the
// blocks that are kept because the probabilities of their wanted roles sum to at least a half.
func score(it *gold.Item, of []float32, keep page.Roles) (accuracy, f float64) {
	var n, right, tp, fp, fn float64
	for i, role := range gold.RolesOf(it.Page, it.Gold.Roles) {
		b := &it.Page.Blocks[i]
		if role == page.NoRole || b.Hidden {
			continue
		}
		p := of[i*blocks.Roles:][:blocks.Roles]
		n++
		if blocks.MostProbable(p, allRoles) == role {
			right++
		}
		w := float64(b.Chars())
		switch kept, want := blocks.Probability(p, keep) >= .5, keep.Has(role); {
		case kept && want:
			tp += w
		case kept:
			fp += w
		case want:
			fn += w
		}
	}
	if tp+fp+fn == 0 {
		return right / max(n, 1), 1
	}
	return right / max(n, 1), 2 * tp / (2*tp + fp + fn)
}

// printMeans prints means over pages with their 95 % confidence interval.
func printMeans(what string, pages []*measured, of func(*measured) []float64) {
	var means []float64
	for _, p := range pages {
		if v := of(p); len(v) > 0 {
			means = append(means, 100*stats.Mean(v))
		}
	}
	mean := stats.Mean(means)
	low, high := stats.Interval(stats.ResampledMeans(means, 2000, 1), .95)
	fmt.Printf("%-44s %6.2f (%.2f to %.2f), %d pages\n", what, mean, low, high, len(means))
}
