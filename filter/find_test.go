package filter

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestFind compares the search for phrases with a search in lower case.
func TestFind(t *testing.T) {
	parts := []string{"lorem ", "Ipsum", "JAVA", "script", "terms of ", "use", "USES ", "use of ", "privacy", " Policy", "coo", "\u212aie", "kie", "s", "cookie", " policy", "x", "é", "\xe2", "\x00", "`", "J", "\n"}
	r := rand.New(rand.NewPCG(1, 2))
	all := phrase(0)
	for range 100_000 {
		var b strings.Builder
		for range r.IntN(9) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text, want := b.String(), phrase(0)
		lower := appendLower(nil, text)
		for _, p := range phrases {
			if bytes.Contains(lower, []byte(p.text)) {
				want |= p.phrase
			}
		}
		if got := find(allPhrases, text); got != want {
			t.Fatalf("%q: %b, want %b", text, got, want)
		}
		all |= want
	}
	if all != allPhrases {
		t.Errorf("found only %b", all)
	}
}
