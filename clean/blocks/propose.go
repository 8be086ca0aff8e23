package blocks

import (
	"context"

	"chaffinch/page"
)

// Probabilities returns the probability of each role for each block of p: that of role
// r for block i is at i*[page.RoleCount] + r-1.
func (l *Labeller) Probabilities(ctx context.Context, p *page.Page) ([]float32, error) {
	s := l.pool.Get().(*scratch)
	defer l.pool.Put(s)
	var out []float32
	for from := 0; from < len(p.Blocks); from += partBlocks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.score(s, part(p, from, min(from+partBlocks, len(p.Blocks))))
		out = append(out, s.roles[:s.sheet.n*page.RoleCount]...)
	}
	return out, nil
}

// Probability returns that of a set of roles, 0 to 1, by those of each role: the
// [page.RoleCount] of one block as [Labeller.Probabilities] returns them.
func Probability(p []float32, of page.Roles) (sum float32) {
	for r, v := range p {
		if of.Has(page.Role(r + 1)) {
			sum += v
		}
	}
	return min(sum, 1)
}

// MostProbable returns the most probable of some roles, of several the first, by the
// probabilities of one block; [page.NoRole] of none.
func MostProbable(p []float32, of page.Roles) (best page.Role) {
	for k, v := range p {
		if r := page.Role(k + 1); of.Has(r) && (best == page.NoRole || v > p[best-1]) {
			best = r
		}
	}
	return best
}
