package extsort

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/must"
	"chaffinch/internal/testkit/property"
)

// TestFlushRepeated compares the records of one and of several Writers with a sort that counts
// prefixes.
func TestFlushRepeated(t *testing.T) {
	dir := t.TempDir()
	property.Check(t, func(t *rapid.T) {
		f, err := OpenFolder(dir)
		must.Succeed(t, err)
		key := rapid.IntRange(1, 20).Draw(t, "key")
		single := rapid.IntRange(1, key).Draw(t, "single")
		alphabet := rapid.SampledFrom([]int{1, 2, 16, 256}).Draw(t, "alphabet")
		state := rapid.Uint64().Draw(t, "seed")
		var writers []*Writer
		var all [][]byte
		for range rapid.IntRange(1, 4).Draw(t, "workers") {
			w, err := f.NewWriter(WriterConfig{Record: key, Key: key, Memory: 16 << 20})
			must.Succeed(t, err)
			for range rapid.SampledFrom([]int{0, 1, 100, 3000, 30_000}).Draw(t, "records") {
				rec, err := w.Add()
				must.Succeed(t, err)
				random(rec, &state, alphabet)
				all = append(all, bytes.Clone(rec))
			}
			writers = append(writers, w)
		}
		slices.SortFunc(all, bytes.Compare)
		count := map[string]int{}
		for _, rec := range all {
			count[string(rec[:single])]++
		}
		all = slices.DeleteFunc(all, func(rec []byte) bool { return count[string(rec[:single])] < 2 })
		runs, err := FlushRepeated(writers, single)
		must.Succeed(t, err)
		got := collect(t, f, runs, MergeConfig{Memory: 1 << 20})
		if !slices.EqualFunc(got, all, bytes.Equal) {
			t.Fatalf("%d records, want %d in order", len(got), len(all))
		}
		must.Succeed(t, f.Remove(runs))
	})
}

// TestBins compares sorts of many records, of which many are equal or share most of their key, with
// a stable sort.
func TestBins(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	must.Succeed(t, err)
	for _, key := range []int{2, 3, 8, 17} {
		for _, fixed := range []int{0, key - 1, key} { // bytes that nearly all records share
			state := uint64(key)
			w, err := f.NewWriter(WriterConfig{Record: key + 4, Key: key, Memory: 64 << 20})
			must.Succeed(t, err)
			var want [][]byte
			for i := range 100_000 {
				rec, err := w.Add()
				must.Succeed(t, err)
				random(rec, &state, 256)
				if i%1000 != 0 {
					clear(rec[:fixed])
				}
				want = append(want, bytes.Clone(rec))
			}
			runs, err := w.Flush()
			must.Succeed(t, err)
			slices.SortStableFunc(want, byKey(key))
			if got := collect(t, f, runs, MergeConfig{Memory: 1 << 20}); !slices.EqualFunc(got, want, bytes.Equal) {
				t.Errorf("keys of %d bytes, %d of them equal: not in order", key, fixed)
			}
		}
	}
}

// TestHashed compares the records of Writers that distribute records while they are added, and of a
// Writer with too few records, with Writers that sort at the end.
func TestHashed(t *testing.T) {
	f, err := OpenFolder(t.TempDir())
	must.Succeed(t, err)
	const size, many, few = 17, 2 * firstSpread * folderChunk / 17, 1000
	for _, counts := range [][]int{{many}, {many, many / 2, few}, {few, many}} {
		for _, single := range []int{0, size} {
			var want [][]byte
			for _, hashed := range []bool{false, true} {
				state := uint64(1)
				var writers []*Writer
				var runs []Run
				for _, n := range counts {
					w, err := f.NewWriter(WriterConfig{Record: size, Key: size, Memory: 4 * leastSpread * folderChunk, Hashed: hashed})
					must.Succeed(t, err)
					for range n {
						rec, err := w.Add()
						must.Succeed(t, err)
						random(rec[:1], &state, 256)
						random(rec[1:], &state, 2)
					}
					if (w.spread != nil) != (hashed && n > few) {
						t.Fatalf("hashed %v, %d records: distributed %v", hashed, n, w.spread != nil)
					}
					if single == 0 {
						more, err := w.Flush()
						must.Succeed(t, err)
						runs = append(runs, more...)
					}
					writers = append(writers, w)
				}
				if single > 0 {
					runs, err = FlushRepeated(writers, single)
					must.Succeed(t, err)
				}
				got := collect(t, f, runs, MergeConfig{Memory: 1 << 20})
				if len(got) == 0 || hashed && !slices.EqualFunc(got, want, bytes.Equal) {
					t.Errorf("%v, repeated %v: %d records, want %d in order", counts, single > 0, len(got), len(want))
				}
				want = got
			}
		}
	}
}
