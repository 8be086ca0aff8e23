package blocks

import (
	"context"
	"errors"
	"math"

	"chaffinch/clean/blocks"
	"chaffinch/page"
)

// LabelledPage is a page with labelled blocks.
type LabelledPage struct {
	// Probabilities holds the result of [blocks.Labeller.Probabilities] of the model to tune.
	Probabilities []float32
	// Roles holds the possible roles of each block: one if its role is known, several if only
	// whether it is kept is known, none if unknown.
	Roles []page.Roles
}

// Parameters of the optimisation of Tune.
const (
	tuneSteps = 150
	tuneRate  = .03
	// tunePrior is the weight of the prior: of the squared bias, per page. The prior prefers no
	// change.
	tunePrior = .3
)

// Tune returns a copy of base with a bias added to the log odds of each role, to correct roles that
// the model predicts too often or too rarely on pages of the user. It maximises the likelihood of
// the labels and changes little with few pages. About ten pages suffice. base does not change.
func Tune(ctx context.Context, base *blocks.Model, pages []LabelledPage) (*blocks.Model, error) {
	m, err := base.Parts()
	if err != nil {
		return nil, err
	}
	if m.Lean != nil || m.More != nil {
		return nil, errors.New("blocks: the model was adapted already: tune the one that it was made of, with all pages")
	}
	const k = blocks.Roles
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
		w := math.Sqrt(1 / float64(n)) // a page has the square root of its number of blocks as weight
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
	m.Confidence, m.Lean = nil, lean // the confidence was trained on other probabilities
	return blocks.NewModel(m)
}

// tuneRow is a block.
type tuneRow struct {
	odds   [blocks.Roles]float64
	roles  page.Roles
	weight float64
}

// descend minimises the weighted mean of the negative log probability of the possible roles plus
// half prior times the squared bias (Adam: Kingma and Ba, ICLR 2015).
func descend(ctx context.Context, rows []tuneRow, total, prior float64) ([]float32, error) {
	const k = blocks.Roles
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
