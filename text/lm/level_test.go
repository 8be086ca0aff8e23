package lm

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/property"
)

// TestFind compares the guessed search with a plain one, also on rows whose
// keys are not spread evenly.
func TestFind(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		keyLen := rapid.UintRange(1, 20).Draw(t, "bits")
		limit := uint64(1)<<keyLen - 1
		if rapid.Bool().Draw(t, "crowded") {
			limit = rapid.Uint64Range(0, limit).Draw(t, "limit")
		}
		keys := rapid.SliceOfDistinct(rapid.Uint64Range(0, limit), func(k uint64) uint64 { return k }).Draw(t, "keys")
		x := rapid.Uint64().Draw(t, "seed")
		for range rapid.IntRange(0, 500).Draw(t, "more") {
			x = x*6364136223846793005 + 1442695040888963407
			keys = append(keys, x>>33%(limit+1))
		}
		slices.Sort(keys)
		keys = slices.Compact(keys)
		l := level{n: uint64(len(keys)), keyLen: keyLen, valLen: 3}
		l.width = uint64(l.keyLen + l.valLen)
		p := packer{put: func(b []byte) error { l.data = append(l.data, b...); return nil }}
		for _, k := range append(slices.Clone(keys), 0) {
			p.field(k, keyLen)
			p.field(5, 3)
		}
		p.flush(true)
		if len(l.data) != l.size() {
			t.Fatalf("%d bytes, wanted %d", len(l.data), l.size())
		}
		from := rapid.IntRange(0, len(keys)).Draw(t, "from")
		to := rapid.IntRange(from, len(keys)).Draw(t, "to")
		ask := append(slices.Clone(keys), limit/2, limit, 0, x%(limit+1))
		for _, k := range ask {
			want, ok := slices.BinarySearch(keys[from:to], k)
			got, found := l.find(k, uint64(from), uint64(to))
			if found != ok || ok && got != uint64(from+want) {
				t.Fatalf("key %d among %v: %d, %v; wanted %d, %v", k, keys[from:to], got, found, from+want, ok)
			}
			if found && l.raw(got) != 5 {
				t.Fatalf("value %d", l.raw(got))
			}
		}
	})
}
