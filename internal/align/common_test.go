package align

import (
	"math/rand/v2"
	"testing"
)

func TestCommon(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n, symbols int) []int32 {
		s := make([]int32, n)
		for i := range s {
			s[i] = int32(rng.IntN(symbols))
		}
		return s
	}
	for range 500 {
		a, b := draw(rng.IntN(200), 2+rng.IntN(30)), draw(rng.IntN(200), 2+rng.IntN(30))
		var got []int32
		for i, h := range Common(a, b) {
			if h {
				got = append(got, a[i])
			}
		}
		if want := LCS(a, b, 0); len(got) != want {
			t.Fatalf("%v and %v: %d symbols, want %d", a, b, len(got), want)
		}
		j := 0
		for _, s := range b {
			if j < len(got) && s == got[j] {
				j++
			}
		}
		if j < len(got) {
			t.Fatalf("%v is no subsequence of %v", got, b)
		}
	}
}
