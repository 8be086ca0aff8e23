package label

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRows compares the table of the ids with a search in their list.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	ids := []uint32{0, 1, 63, 64, 1<<IDBits - 1}
	for range 5000 {
		ids = append(ids, r.Uint32N(1<<IDBits))
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	m := Model{w: Weights{IDs: ids}}
	m.index()
	var hashes, want []uint32
	for range 20000 {
		id := r.Uint32N(1 << IDBits)
		switch r.IntN(3) {
		case 0:
			id = ids[r.IntN(len(ids))]
		case 1:
			id = min(ids[r.IntN(len(ids))]+1, 1<<IDBits-1)
		}
		hashes = append(hashes, id<<(32-IDBits)|r.Uint32N(1<<(32-IDBits)))
		at, ok := slices.BinarySearch(ids, id)
		if row, known := m.row(id); known != ok || ok && row != uint32(at) {
			t.Fatalf("id %d: row %d, %t; wanted %d, %t", id, row, known, at, ok)
		}
		if ok {
			want = append(want, uint32(at))
		}
	}
	if got := m.rows(make([]uint32, len(hashes)), hashes); !slices.Equal(got, want) {
		t.Error("rows differ from a search in the list")
	}
}
