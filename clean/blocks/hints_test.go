package blocks

import (
	"math/rand/v2"
	"testing"

	"chaffinch/page"
)

// TestHintsAdd compares the sums of packed weights with those of single ones, of more
// tokens than can be added at once too.
func TestHintsAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	plain, table := make([][page.RoleCount]int8, 64), make([]roleSteps, 64)
	for i := range table {
		for r := range plain[i] {
			plain[i][r] = int8(rng.IntN(255) - 127)
		}
		plain[i][rng.IntN(page.RoleCount)] = -127
		table[i] = packSteps(&plain[i])
		for r, v := range plain[i] {
			if table[i].of(r) != v {
				t.Fatalf("row %d, role %d: %d, wanted %d", i, r, table[i].of(r), v)
			}
		}
	}
	h := &hints{shift: slabBits - 6}
	for _, n := range []int{0, 1, 5, maxAdded, maxAdded + 1, 3*maxAdded + 7} {
		var got, want roleSums
		slots := make([]uint32, n)
		for i := range slots {
			slots[i] = uint32(rng.IntN(1 << slabBits))
			for r, v := range plain[slots[i]>>h.shift] {
				want[r] += int32(v)
			}
		}
		h.add(&got, table, slots)
		if got != want {
			t.Errorf("%d tokens: %v, wanted %v", n, got, want)
		}
	}
}
