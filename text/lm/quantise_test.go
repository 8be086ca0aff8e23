package lm

import (
	"math"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"chaffinch/internal/testkit/property"
)

// TestEncoder: the table leads to the entry that a search finds.
func TestEncoder(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		value := rapid.Float32Range(-70, 70)
		book := rapid.SliceOfN(value, 1, 40).Draw(t, "book")
		slices.Sort(book)
		for range rapid.IntRange(0, 3).Draw(t, "unused") {
			book = append(book, float32(math.Inf(1)))
		}
		e := newEncoder(book)
		for _, x := range append(rapid.SliceOf(value).Draw(t, "values"), book...) {
			want := sort.Search(len(book), func(i int) bool { return book[i] >= x })
			if want == len(book) || want > 0 && x-book[want-1] <= book[want]-x {
				want--
			}
			if got := e.code(x); got != uint64(want) {
				t.Fatalf("%v has code %d, wanted %d", x, got, want)
			}
		}
	})
}
