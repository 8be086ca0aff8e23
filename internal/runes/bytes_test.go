package runes

import (
	"strings"
	"testing"
)

func TestHasUTF16Mark(t *testing.T) {
	for text, want := range map[string]bool{"\xff\xfea\x00": true, "\xfe\xff": true, "\xff": false, "\xff\xff": false, "": false, "\ufeffa": false, "a\xff\xfe": false} {
		if got := HasUTF16Mark([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestIsHex(t *testing.T) {
	for c := range 256 {
		if got, want := IsHex(byte(c)), strings.IndexByte("0123456789abcdefABCDEF", byte(c)) >= 0; got != want {
			t.Errorf("byte %d: %v", c, got)
		}
	}
}

func TestIsLegacy(t *testing.T) {
	for text, want := range map[string]bool{"": false, "plain": false, "caf\xe9 au lait": true, "café": false, "caf\xc3": false, "café \xff": false, "\xd1\xd1\xd1\xd0\xbb": true} {
		if got := IsLegacy([]byte(text)); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
