package blocks

import (
	"context"
	"math"
	"math/bits"

	"chaffinch/page"
)

// Probabilities returns the probability of each role for each block of p. The probability of
// role r for block i is at index i*[Roles] + r-1.
func (l *Labeller) Probabilities(ctx context.Context, p *page.Page) ([]float32, error) {
	s := l.pool.Get().(*scratch)
	defer l.pool.Put(s)
	var out []float32
	for from := 0; from < len(p.Blocks); from += partBlocks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.score(s, part(p, from, min(from+partBlocks, len(p.Blocks))))
		out = append(out, s.roles[:s.sheet.n*Roles]...)
	}
	return out, nil
}

// Probability returns the probability of a set of roles, from 0 to 1. p holds the
// [Roles] probabilities of one block as returned by [Labeller.Probabilities].
func Probability(p []float32, of page.Roles) (sum float32) {
	for set := rolesIn(p, of); set != 0; set &= set - 1 {
		sum += p[bits.TrailingZeros16(set)-1]
	}
	return min(sum, 1)
}

// rolesIn returns the roles in of that p has probabilities for, one bit each.
func rolesIn(p []float32, of page.Roles) uint16 { return uint16(of) & (1<<(len(p)+1) - 2) }

// MostProbable returns the most probable role in of, given the probabilities p of one block.
// Ties go to the first role. It returns [page.NoRole] if of is empty.
func MostProbable(p []float32, of page.Roles) (best page.Role) {
	// Non-negative floats sort like their bits. The low bits hold the role, the first role
	// highest, so that the comparison needs no branch.
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
