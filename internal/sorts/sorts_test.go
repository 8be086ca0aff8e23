package sorts_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/sorts"
	"chaffinch/internal/testkit/property"
)

// TestLikeSlices wants the order of slices, for what compares as equal too.
func TestLikeSlices(t *testing.T) {
	type item struct {
		key   uint8
		place int
	}
	byKey := func(a, b item) int { return cmp.Compare(a.key, b.key) }
	property.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.Uint8Max(rapid.SampledFrom([]uint8{0, 3, 40, 255}).Draw(t, "most")), 0, 3000).Draw(t, "keys")
		items := make([]item, len(keys))
		for i, k := range keys {
			items[i] = item{key: k, place: i}
		}
		got, want := slices.Clone(items), slices.Clone(items)
		sorts.Func(got, byKey)
		slices.SortFunc(want, byKey)
		if !slices.Equal(got, want) {
			t.Fatalf("Func: got %v, want %v", got, want)
		}
		got, want = slices.Clone(items), slices.Clone(items)
		sorts.StableFunc(got, byKey)
		slices.SortStableFunc(want, byKey)
		if !slices.Equal(got, want) {
			t.Fatalf("StableFunc: got %v, want %v", got, want)
		}
	})
}
