package runes

import (
	"testing"
	"unicode/utf8"
)

// TestDecode compares Decode with package utf8.
func TestDecode(t *testing.T) {
	check := func(s string) {
		r, n := Decode(s)
		if want, size := utf8.DecodeRuneInString(s); r != want || n != size {
			t.Errorf("%q: %U of %d bytes, want %U of %d", s, r, n, want, size)
		}
	}
	check("")
	for r := rune(0x80); r <= utf8.MaxRune; r++ {
		check(string(r))
		check(string(r) + "é")
	}
	for lead := range 256 { // also invalid
		for next := range 256 {
			for _, last := range []byte{'a', 0x80, 0xBF, 0xC3} {
				check(string([]byte{byte(lead), byte(next), last}))
			}
		}
	}
}
