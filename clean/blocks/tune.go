package blocks

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"chaffinch/page"
)

// Told is a page of which people say what its blocks are.
type Told struct {
	// Probabilities are those of [Labeller.Probabilities], by the model that is tuned.
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
	leastOdds = 1e-4 // added to a probability before its logarithm is taken
)

// Tune returns base with a number for each role that is added to its log odds, so that
// roles which the model takes too often or too seldom on pages of your own come right.
// It finds the numbers that make what people say most likely, and changes little
// where there are few pages: some ten are enough. base is not changed.
func Tune(ctx context.Context, base *Model, pages []Told) (*Model, error) {
	if base.lean != nil || base.more != nil {
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
				x.odds[c] = math.Log(float64(p) + leastOdds)
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
	m := *base
	m.card, m.confidence, m.lean = nil, nil, lean // the confidence was learned of other probabilities
	return &m, nil
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

// tilt adds the lean of m to the log odds of the roles.
func (m *Model) tilt(roles []float32) {
	if m.lean == nil {
		return
	}
	const k = page.RoleCount
	var f [k]float32
	for c, b := range m.lean {
		f[c] = float32(math.Exp(float64(b)))
	}
	for i := 0; i+k <= len(roles); i += k {
		p := roles[i : i+k]
		sum := float32(0)
		for c := range p {
			p[c] = float32((p[c] + leastOdds) * f[c])
			sum += p[c]
		}
		for c := range p {
			p[c] /= sum
		}
	}
}

// appendLean writes the lean.
func (m *Model) appendLean(b []byte) []byte {
	for _, v := range m.lean {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func (m *Model) readLean(b []byte) error {
	if len(b) != 4*page.RoleCount {
		return fmt.Errorf("%d bytes, wanted %d", len(b), 4*page.RoleCount)
	}
	for ; len(b) > 0; b = b[4:] {
		v := math.Float32frombits(binary.LittleEndian.Uint32(b))
		if !(math.Abs(float64(v)) < 100) {
			return fmt.Errorf("the lean of role %d is %v: wanted a number below 100", len(m.lean)+1, v)
		}
		m.lean = append(m.lean, v)
	}
	return nil
}
