package minhash

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSign: least values are those of the formula, modulo 2^61-1 but for the values that
// value allows, whatever computes them.
func TestSign(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 7, 8, 13, 16, 240} {
		for _, count := range []int{0, 1, 2, 3, 100} {
			for _, wide := range []bool{false, true} {
				for _, l := range []*linear{blocked(42, n, low32), blocked(1, n, high), paired(3, n, low32), paired32(42, n)} {
					shingles := make([]uint64, count)
					for i := range shingles {
						if shingles[i] = rnd.Uint64(); !wide {
							shingles[i] >>= 32
						}
					}
					if count > 1 {
						shingles[0], shingles[1] = 0, low32
					}
					want := make([]uint64, n)
					for i := range want {
						want[i] = l.mask
						for _, x := range shingles {
							want[i] = min(want[i], value(l.a[i], l.b[i], x)&l.mask)
						}
					}
					got := make([]uint64, n)
					if l.sign(got, shingles); !slices.Equal(got, want) {
						t.Fatalf("%d functions of %d shingles, wide %v, mask %x: %x, wanted %x", n, count, wide, l.mask, got, want)
					}
				}
			}
		}
	}
}
