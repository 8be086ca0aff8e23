package document

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestSourceLooks compares the tests of source formats with their expressions alone, on texts of
// their marks.
func TestSourceLooks(t *testing.T) {
	oracle := map[string]func(b []byte) bool{
		"markdown": func(b []byte) bool {
			first := firstATX().Find(b)
			return frontMatter().Match(b) || first != nil && marked().Match(b[len(first):])
		},
		"latex": texBegin().Match,
		"rst":   func(b []byte) bool { return rstDirective().Match(b) && underlined().Match(b) },
		"asciidoc": func(b []byte) bool {
			first := adocTitle().Find(b)
			return first != nil && adocMark().Match(b[len(first):])
		},
	}
	parts := []string{"---", "\n", "\r\n", "title:", "a: b", "# ", "## ", "x", "```", "[a](b)", ".. ", "note:: ", "_a:", "====",
		"= ", "== ", ":a: ", "[NOTE", "%", " ", "\f", `\documentclass`, "{"}
	found := map[string]int{}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		var text strings.Builder
		for range r.IntN(8) {
			text.WriteString(parts[r.IntN(len(parts))])
		}
		for _, f := range formats {
			if !f.source {
				continue
			}
			got, want := f.looks([]byte(text.String())), oracle[f.name]([]byte(text.String()))
			if got != want {
				t.Fatalf("%s of %q: %v, want %v", f.name, text.String(), got, want)
			}
			if want {
				found[f.name]++
			}
		}
	}
	if len(found) != len(oracle) {
		t.Errorf("found only %v", found)
	}
}
