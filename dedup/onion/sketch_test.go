package onion

import (
	"bytes"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestNumeric compares numeric with a loop over bytes, at all places of a text.
func TestNumeric(t *testing.T) {
	text := []byte("a1 bcdefghijk 2lmnopqrstuvw3x yz0123456789 é5 ٣٤ x٣ /:;")
	for from := range text {
		for to := from; to <= len(text); to++ {
			b := text[from:to]
			first, _ := utf8.DecodeRune(b)
			want := bytes.ContainsAny(b, "0123456789") || len(b) > 0 && b[0] >= utf8.RuneSelf && unicode.IsDigit(first)
			for _, whole := range [][]byte{text, text[:to]} {
				if got := numeric(whole, from, to); got != want {
					t.Fatalf("%q: %v, want %v", b, got, want)
				}
			}
		}
	}
}
