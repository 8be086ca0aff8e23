package main

import (
	"context"
	"encoding/json"
	"math"
	"os"

	"chaffinch/clean/blocks"
	"chaffinch/gold"
	"chaffinch/page"
	"chaffinch/site"
)

// simBlock is a block of a page to annotate, as the page of the server has it.
type simBlock struct {
	Proposed string             `json:"proposed"`
	Score    float32            `json:"score"`
	Odds     map[string]float32 `json:"odds"`
	In       []int              `json:"in"`
	Like     int                `json:"like"`
	Gold     string             `json:"gold"`
}

type simPage struct {
	ID     string     `json:"id"`
	Blocks []simBlock `json:"blocks"`
}

// write writes pages with gold and what a model proposes, for keys.mjs.
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
			one := of[b*page.RoleCount:][:page.RoleCount]
			best := blocks.MostProbable(one, allRoles)
			y := simBlock{Proposed: best.String(), Score: one[best-1], Odds: map[string]float32{}, In: in[b], Like: like[b], Gold: roles[b].String()}
			for r, p := range one {
				if p >= .005 {
					y.Odds[page.Role(r+1).String()] = float32(math.Round(100*float64(p))) / 100
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

// two makes labels of roles: text, of which p is the probability, or boilerplate.
func (b *simBlock) two(p float32, keep page.Roles, role page.Role) {
	if b.Proposed, b.Score = gold.LineLabel(p >= .5), max(p, 1-p); role != page.NoRole {
		b.Gold = gold.LineLabel(keep.Has(role))
	}
}
