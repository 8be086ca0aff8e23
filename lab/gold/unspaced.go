package gold

import (
	"strings"

	"chaffinch/internal/pytext"
)

// unspacedRune reports whether r is a character of a script without spaces between words: Thai,
// kana, Han.
func unspacedRune(r rune) bool {
	switch {
	case r < 0x0e00:
		return false
	case r <= 0x0e7f, 0x3040 <= r && r <= 0x30ff, 0x3400 <= r && r <= 0x4dbf, 0x4e00 <= r && r <= 0x9fff, 0xf900 <= r && r <= 0xfaff:
		return true
	}
	return false
}

// Unspaced reports whether more than a fifth of the characters of s, except white space, are of a
// script without spaces.
func Unspaced(s string) bool {
	all, of := 0, 0
	for _, r := range s {
		if !pytext.IsSpace(r) {
			all++
		}
		if unspacedRune(r) {
			of++
		}
	}
	return float64(of) > 0.2*float64(max(1, all))
}

// Spread inserts a space on both sides of each character of a script without spaces, so that each
// is a separate word.
func Spread(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/2)
	for _, r := range s {
		if unspacedRune(r) {
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
