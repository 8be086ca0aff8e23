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
