package corpus

import (
	"math/rand/v2"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestHolders compares the structures that hold tokens with [Struct.Find], for tokens in order and in
// any order.
func TestHolders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var vert strings.Builder
	for range 300 {
		for range r.IntN(4) {
			vert.WriteString("outside\n")
		}
		vert.WriteString("<s>\n" + strings.Repeat("a\n", r.IntN(9)) + "</s>\n")
		if r.IntN(3) == 0 {
			vert.WriteString("<p>\nb\n</p>\n")
		}
	}
	c := build(t, vert.String(), "word")
	var list []*Struct
	for _, name := range []string{"s", "p"} {
		s := must.Get(c.Struct(name))(t)
		list = append(list, s)
	}
	var h holders
	check := func(s *Struct, pos int64) {
		t.Helper()
		i, end, ok := h.find(s, pos)
		wantI, want := s.Find(pos)
		if ok != want || ok && i != wantI {
			t.Fatalf("structure %s of token %d: %d, %t, want %d, %t", s.name, pos, i, ok, wantI, want)
		}
		if _, wantEnd := s.Span(i); ok && end != wantEnd {
			t.Fatalf("structure %s of token %d ends at %d, want %d", s.name, pos, end, wantEnd)
		}
	}
	for _, step := range []int64{1, 7, 60} {
		for _, s := range list {
			for pos := int64(0); pos < c.Size(); pos += step {
				check(s, pos)
			}
		}
	}
	for range 3000 {
		check(list[r.IntN(2)], r.Int64N(c.Size()))
	}
}
