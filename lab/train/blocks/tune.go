package blocks

import (
	"context"
	"errors"
	"math"

	"chaffinch/clean/blocks"
	"chaffinch/page"
)

// Told is a page whose blocks people have labelled.
type Told struct {
	// Probabilities are the probabilities that [blocks.Labeller.Probabilities] returns with the tuned model.
	Probabilities []float32
	// Roles are those that each block may have: one if its role is known, several if
	// only what is kept is, none if nothing is.
	Roles []page.Roles
}

// The descent of Tune.
const (
	tuneSteps = 150
	tuneRate  = .03
	// tunePrior is how much a page counts against a prior by which nothing changes:
	// the weight of the square of the lean, for one page.
	tunePrior = .3
)

// Tune returns base with a number for each role that is added to its log odds, so that
// roles which the model takes too often or too seldom on pages of your own come right.
// It finds the numbers that make what people say most likely, and changes little
// where there are few pages: some ten are enough. base is not changed.
func Tune(ctx context.Context, base *blocks.Model, pages []Told) (*blocks.Model, error) {
	m, err := base.Parts()
	if err != nil {
		return nil, err
	}
	if m.Lean != nil || m.More != nil {
		return nil, errors.New("blocks: the model was adapted already: tune the one that it was made of, with all pages")
	}
	const k = page.RoleCount
	var rows []tuneRow
	total, told := 0., 0
	for _, t := range pages {
		n := 0
		for _, r := range t.Roles {
			if r != 0 {
				n++
			}
		}
		if n == 0 {
			continue
		}
		told++
		w := math.Sqrt(1 / float64(n)) // a page weighs the root of its blocks
		for i, r := range t.Roles {
			if r == 0 {
				continue
			}
			x := tuneRow{roles: r, weight: w}
			for c, p := range t.Probabilities[i*k:][:k] {
				x.odds[c] = math.Log(float64(p) + blocks.LeastOdds)
			}
			rows = append(rows, x)
			total += w
		}
	}
	if told == 0 {
		return nil, errors.New("blocks: no page to tune the model to")
	}
	lean, err := descend(ctx, rows, total, tunePrior/float64(told))
	if err != nil {
		return nil, err
	}
	m.Confidence, m.Lean = nil, lean // the confidence was learned of other probabilities
	return blocks.NewModel(m)
}

// tuneRow is a block.
type tuneRow struct {
	odds   [page.RoleCount]float64
	roles  page.Roles
	weight float64
}

// descend minimizes the weighted mean of -log of the probability of the roles that
// blocks may have, plus half prior times the squares (Adam: Kingma and Ba, ICLR 2015).
func descend(ctx context.Context, rows []tuneRow, total, prior float64) ([]float32, error) {
	const k = page.RoleCount
	var b, g, mean, square, p [k]float64
	for step := 1; step <= tuneSteps; step++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for c := range g {
			g[c] = prior * b[c]
		}
		for i := range rows {
			x := &rows[i]
			sum, may := 0., 0.
			for c := range p {
				p[c] = math.Exp(x.odds[c] + b[c])
				sum += p[c]
				if x.roles.Has(page.Role(c + 1)) {
					may += p[c]
				}
			}
			for c := range p {
				d := p[c] / sum
				if x.roles.Has(page.Role(c + 1)) {
					d -= p[c] / may
				}
				g[c] += d * x.weight / total
			}
		}
		for c := range b {
			mean[c] = float64(.9*mean[c]) + float64(.1*g[c])
			square[c] = float64(.99*square[c]) + float64(.01*g[c]*g[c])
			m, v := mean[c]/(1-math.Pow(.9, float64(step))), square[c]/(1-math.Pow(.99, float64(step)))
			b[c] -= tuneRate * m / (math.Sqrt(v) + 1e-8)
		}
	}
	out := make([]float32, k)
	for c := range b {
		out[c] = float32(b[c])
	}
	return out, nil
}
