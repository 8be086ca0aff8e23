package extract

import (
	"math/rand/v2"
	"testing"
)

// TestPlainRun wants the ends of runs that a loop over the bytes finds.
func TestPlainRun(t *testing.T) {
	slow := func(src string, i, to int) int {
		j := i
		for j < to && class[src[j]] == plain {
			for j++; j < to && class[src[j]] == plain; {
				j++
			}
			if j+1 >= to || src[j] != ' ' || class[src[j+1]] != plain {
				break
			}
			j++
		}
		return j
	}
	pieces := []string{"a", "word", "longer words and more", " ", "  ", "\n", "&", "é", "ж", "слово", "’", "\u00a0", "漢", "\x7f", "~", "<", "\x01", "Ā", "\U0001F600"}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		src := ""
		for range 1 + rng.IntN(9) {
			src += pieces[rng.IntN(len(pieces))]
		}
		to := len(src) - rng.IntN(min(len(src), 9))
		for i := range to {
			if class[src[i]] != plain {
				continue
			}
			if got, want := plainRun(src, i, to), slow(src, i, to); got != want {
				t.Fatalf("%q from %d to %d: %d, want %d", src, i, to, got, want)
			}
		}
	}
}
