package runes

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"
)

// TestCount compares Count with package utf8 on texts that may be invalid.
func TestCount(t *testing.T) {
	parts := []string{"a", "plain text", "é", "漢字", "\U0001F600", "\xff", "\xe6\xbc", "\xf0\x9f\x98"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		text := ""
		for range rng.IntN(12) {
			text += parts[rng.IntN(len(parts))]
		}
		if got, want := Count(text), utf8.RuneCountInString(text); got != want {
			t.Fatalf("%q: %d characters, want %d", text, got, want)
		}
	}
}
