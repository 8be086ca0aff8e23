package vertical

import (
	"math/rand/v2"
	"testing"
)

// TestAppendToken compares tokens copied eight bytes at a time with appendField.
func TestAppendToken(t *testing.T) {
	parts := []string{"a", "word", "extraordinarily", "&", "&amp;", "&x", "<", "<b>", "\ufeff", "\x7f", "\x01", "é", "漢字", "\xef", "\xff", "!"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		text := ""
		for range 1 + rng.IntN(6) {
			text += parts[rng.IntN(len(parts))]
		}
		start := rng.IntN(len(text))
		end := start + 1 + rng.IntN(len(text)-start)
		if got, want := appendToken([]byte("x"), text, start, end), appendField([]byte("x"), text[start:end], true); string(got) != string(want) {
			t.Fatalf("%q: %q, want %q", text[start:end], got, want)
		}
	}
}
