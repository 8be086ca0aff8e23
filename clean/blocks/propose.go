package blocks

import (
	"context"
	"math"
	"math/bits"

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
	for set := rolesIn(p, of); set != 0; set &= set - 1 {
		sum += p[bits.TrailingZeros16(set)-1]
	}
	return min(sum, 1)
}

// rolesIn returns the roles of a set that p has, a bit for each.
func rolesIn(p []float32, of page.Roles) uint16 { return uint16(of) & (1<<(len(p)+1) - 2) }

// MostProbable returns the most probable of some roles, of several the first, by the
// probabilities of one block; [page.NoRole] of none.
func MostProbable(p []float32, of page.Roles) (best page.Role) {
	// The bits of probabilities, which are not negative, have their order; below them
	// stands the role, the first one highest, so that no branch hangs on them.
	const last = 1<<8 - 1
	most := uint64(0)
	for set := rolesIn(p, of); set != 0; set &= set - 1 {
		r := bits.TrailingZeros16(set)
		most = max(most, uint64(math.Float32bits(p[r-1]))<<8|uint64(last-r))
	}
	if most == 0 {
		return page.NoRole
	}
	return page.Role(last - most&last)
}
