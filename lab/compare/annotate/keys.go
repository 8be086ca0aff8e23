package main

import (
	"context"
	"encoding/json"
	"math"
	"os"

	"chaffinch/clean/blocks"
	"chaffinch/extract/site"
	"chaffinch/lab/gold"
	"chaffinch/page"
)

// simBlock is a block of a page to annotate, in the format of the server.
type simBlock struct {
	Proposed string             `json:"proposed"`
	Score    float32            `json:"score"`
	Odds     map[string]float32 `json:"odds"`
	Kind     string             `json:"kind"`
	Links    bool               `json:"links"`
	Text     string             `json:"text"`
	In       []int              `json:"in"`
	Like     int                `json:"like"`
	Shape    string             `json:"shape"`
	Gold     string             `json:"gold"`
}

type simPage struct {
	ID     string     `json:"id"`
	Blocks []simBlock `json:"blocks"`
}

// write writes pages with gold and the proposals of a model, for keys.mjs.
func write(ctx context.Context, c *gold.Collection, pages []int, l *blocks.Labeller, two bool, out string) error {
	keep, err := page.ParseRoles("main")
	if err != nil {
		return err
	}
	var all []simPage
	for _, i := range pages {
		it := c.Items[i]
		p := it.Page
		of, err := l.Probabilities(ctx, p)
		if err != nil {
			return err
		}
		roles := gold.RolesOf(p, it.Gold.Roles)
		x := simPage{ID: it.Set.Name + "/" + it.Gold.ID}
		in, like := p.Holders(), site.Likes(p)
		for b := range p.Blocks {
			one := of[b*blocks.Roles:][:blocks.Roles]
			best, from := blocks.MostProbable(one, allRoles), &p.Blocks[b]
			y := simBlock{Proposed: best.String(), Score: one[best-1], Odds: map[string]float32{}, Kind: from.Kind.String(), Links: from.LinkDensity() > .5,
				Text: from.Text, In: in[b], Like: like[b], Shape: from.Path, Gold: roles[b].String()}
			for r, p := range one {
				if p = hundredths(p); p > 0 {
					y.Odds[page.Role(r+1).String()] = p
				}
			}
			if two {
				y.two(blocks.Probability(one, keep), keep, roles[b])
			}
			x.Blocks = append(x.Blocks, y)
		}
		all = append(all, x)
	}
	b, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return os.WriteFile(out, b, 0o666)
}

// two sets labels of two classes instead of roles: text, with probability p, or boilerplate.
func (b *simBlock) two(p float32, keep page.Roles, role page.Role) {
	b.Odds = map[string]float32{gold.LineLabel(true): hundredths(p), gold.LineLabel(false): hundredths(1 - p)}
	if b.Proposed, b.Score = gold.LineLabel(p >= .5), max(p, 1-p); role != page.NoRole {
		b.Gold = gold.LineLabel(keep.Has(role))
	}
}

func hundredths(p float32) float32 { return float32(math.Round(100*float64(p))) / 100 }
