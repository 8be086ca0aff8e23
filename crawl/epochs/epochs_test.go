package epochs

import (
	"slices"
	"testing"
)

// TestShare fails if shares do not add up to the pages that are left, or if a rank with URLs never gets one.
func TestShare(t *testing.T) {
	ranks := []string{"a", "b", "c", "d"}
	for _, left := range []int64{0, 1, 3, 1000, 1 << 40} {
		for _, queued := range [][]int64{{0, 0, 0, 0}, {5, 0, 0, 1}, {1 << 50, 1, 0, 1 << 40}} {
			had := make([]int64, len(ranks))
			for epoch := range len(ranks) {
				s := &Seal{Epoch: epoch, Ranks: ranks, Bundles: map[string]Report{}, Pages: 10, Limit: 10 + left}
				for i, rank := range ranks {
					s.Bundles[rank] = Report{Queued: queued[i]}
				}
				sum := int64(0)
				for i, rank := range ranks {
					n, ok := s.Share(rank)
					if !ok || n < 0 {
						t.Fatalf("share %d, %v", n, ok)
					}
					sum, had[i] = sum+n, had[i]+n
				}
				if sum != left {
					t.Errorf("%v, epoch %d: shares of %d, wanted %d", queued, epoch, sum, left)
				}
			}
			for i, n := range had {
				if most := slices.Max(queued); left > 0 && n == 0 && (queued[i] > 0 || most == 0) {
					t.Errorf("%d pages, %v: %s has none in %d epochs", left, queued, ranks[i], len(ranks))
				}
			}
		}
	}
	s := &Seal{Ranks: ranks, Pages: 10}
	if _, ok := s.Share("a"); ok {
		t.Error("a share without a limit")
	}
	s = &Seal{Ranks: ranks, Bundles: map[string]Report{"a": {Queued: 10}, "b": {Queued: 20}}, Limit: 64}
	if n, _ := s.Share("c"); n != 16 { // as many as the mean of a and b
		t.Errorf("a new rank gets %d pages of 64", n)
	}
}
