package blocks

import (
	"math/rand/v2"
	"testing"

	"chaffinch/internal/residue"
)

// TestMayBeCode wants no text of code to be skipped.
func TestMayBeCode(t *testing.T) {
	pieces := []string{"123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000", "{{ name }}", "<br>", "[gallery]", "a { b: c }", "x = 1;", "Some words of text", "é, ", ". ", " "}
	rng := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 5000 {
		text := ""
		for range 1 + rng.IntN(6) {
			text += pieces[rng.IntN(len(pieces))]
		}
		var words wordHashes
		s := measure(text, &words)
		if residue.IsCode(text) {
			if found++; !s.mayBeCode(text) {
				t.Errorf("%q is code, with %+v", text, s)
			}
		}
	}
	if found == 0 {
		t.Error("no text is code")
	}
}
