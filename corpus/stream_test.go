package corpus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestPiecesVariable finds all matches of a query whose rarest part has many values at a variable distance
// from the start. Their places are collected piece by piece.
func TestPiecesVariable(t *testing.T) {
	const tokens, gap, values = 5 * leastPiece, 16, 2 * mergeLists
	var b strings.Builder
	want := int64(0)
	for i := range tokens {
		if i%gap == 2 { // also right after the start of the second piece
			fmt.Fprintf(&b, "x%d\n", i/gap%values)
			want += int64(min(i, 5)) // from 0 to 4 tokens between
		} else {
			b.WriteString("a\n")
		}
	}
	c := build(t, b.String(), "word")
	q := must.Get(c.Query(t.Context(), `"a" "a"{0,4} "x.*"`))(t)
	n := must.Get(q.Count(t.Context()))(t)
	if n != want {
		t.Errorf("%d matches, wanted %d", n, want)
	}
}

// TestRareValues compares the places of many values with the text. Between none and all of
// them are held as places of rare values.
func TestRareValues(t *testing.T) {
	const tokens = 20_000
	r := rand.New(rand.NewPCG(3, 4))
	z := rand.NewZipf(r, 1.1, 2, 5000)
	var vertical strings.Builder
	for range tokens {
		fmt.Fprintf(&vertical, "w%d\n", z.Uint64())
	}
	a := build(t, vertical.String(), "word").attrs[0]
	var ids []uint32
	for id := uint32(1); id < uint32(a.n); id += 3 {
		ids = append(ids, id)
	}
	set := newIDSet(a.n, ids)
	var want []uint32
	for at := range uint32(tokens) {
		if set.has(a.At(int64(at))) {
			want = append(want, at)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	splits := map[bool]int{}
	for _, most := range []int{0, 10, 500, 2000, tokens} {
		u := newValuePlaces(a, ids)
		if u.splitRare(newDeadline(over), most); u.split {
			t.Fatal("values are split after the deadline")
		}
		u.splitRare(newDeadline(t.Context()), most)
		if len(u.rare) > most || u.total != int64(len(want)) {
			t.Errorf("%d of %d places are held, wanted at most %d of %d", len(u.rare), u.total, most, len(want))
		}
		splits[len(u.frequent) > 0 && len(u.rare) > 0]++
		for range 50 {
			first := uint32(r.IntN(tokens))
			end := first + uint32(r.IntN(tokens-int(first)+1))
			var got []uint32
			s := &pieceStream{d: newDeadline(t.Context()), u: u, end: first, last: end, length: uint32(1 + r.IntN(3000))}
			for at, ok := s.next(first); ok; at, ok = s.next(at + 1) {
				got = append(got, at)
			}
			i, _ := slices.BinarySearch(want, first)
			j, _ := slices.BinarySearch(want, end)
			if !slices.Equal(got, want[i:j]) {
				t.Fatalf("from %d to %d with %d rare: %d places, wanted %d", first, end, len(u.rare), len(got), j-i)
			}
		}
	}
	if splits[true] < 2 {
		t.Error("the values are never split")
	}
}
