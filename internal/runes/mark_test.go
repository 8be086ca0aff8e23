package runes

import "testing"

func TestHasUTF16Mark(t *testing.T) {
	for text, want := range map[string]bool{"\xff\xfea\x00": true, "\xfe\xff": true, "\xff": false, "\xff\xff": false, "": false, "\ufeffa": false, "a\xff\xfe": false} {
		if got := HasUTF16Mark([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
