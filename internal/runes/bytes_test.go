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

func TestCountUTF8(t *testing.T) {
	for text, want := range map[string][2]int{"": {}, "plain": {}, "caf\xe9 au lait": {1, 0}, "café": {0, 1}, "caf\xc3": {}, "café \xff": {1, 1}, "\xd1\xd1\xd1\xd0\xbb": {3, 1}} {
		if bad, good := CountUTF8([]byte(text)); bad != want[0] || good != want[1] {
			t.Errorf("%q: %d, %d", text, bad, good)
		}
	}
}
