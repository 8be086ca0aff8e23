package shingle

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSorter compares Sorter with package slices, for hashes, small numbers and repeated ones.
func TestSorter(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	var s Sorter
	for _, n := range []int{0, 1, 31, 32, 100, 5000, 40_000} {
		for _, most := range []uint64{1, 50, 1 << 40, 1<<64 - 1} {
			got := make([]uint64, n)
			for i := range got {
				got[i] = rnd.Uint64N(most)
			}
			want := slices.Sorted(slices.Values(got))
			if s.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%d numbers below %d are not in order", n, most)
			}
		}
	}
}
