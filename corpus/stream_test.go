package corpus

import (
	"fmt"
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
	q, err := c.Query(t.Context(), `"a" "a"{0,4} "x.*"`)
	must.Succeed(t, err)
	n, err := q.Count(t.Context())
	must.Succeed(t, err)
	if n != want {
		t.Errorf("%d matches, wanted %d", n, want)
	}
}
