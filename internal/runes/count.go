package runes

import (
	"unicode/utf8"

	"chaffinch/internal/swar"
)

// Count returns the number of characters of s like [utf8.RuneCountInString], but reads eight ASCII
// characters at a time.
func Count(s string) int {
	n := 0
	for len(s) >= 8 {
		size := 8
		if swar.Load(s)&swar.Tops == 0 {
			n += 8
		} else {
			_, size = utf8.DecodeRuneInString(s)
			n++
		}
		s = s[size:]
	}
	return n + utf8.RuneCountInString(s)
}
