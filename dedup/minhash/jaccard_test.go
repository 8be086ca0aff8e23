package minhash

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAtLeast compares atLeast with jaccard.
func TestAtLeast(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		var a, b []uint64
		alike := rnd.Float64()
		for range rnd.IntN(60) {
			x := rnd.Uint64N(500)
			if a = append(a, x); rnd.Float64() < alike {
				b = append(b, x)
			} else {
				b = append(b, rnd.Uint64N(500))
			}
		}
		for range rnd.IntN(5) {
			b = append(b, rnd.Uint64N(500))
		}
		slices.Sort(a)
		slices.Sort(b)
		a, b = slices.Compact(a), slices.Compact(b)
		want := jaccard(a, b)
		for _, least := range []float64{0, 0.1, 0.5, 0.7, 0.9, 1, want} {
			got, ok := atLeast(a, b, least)
			if ok != (want >= least) || ok && got != want {
				t.Fatalf("%d and %d elements, at least %v: %v, %v, want %v", len(a), len(b), least, got, ok, want)
			}
		}
	}
}
