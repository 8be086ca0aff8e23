package main

import (
	"strings"
	"unicode"

	"chaffinch/internal/table"
)

// excerpt returns untrusted text that is safe to print, cut to n columns with "…" at the end.
// n is at least 2.
func excerpt(s string, n int) string {
	s = printable(s)
	if table.Width(s) <= n {
		return s
	}
	return table.First(s, n-1) + "…"
}

// printable replaces tabs by blanks, and characters that control the terminal or the
// direction of text by U+FFFD. It keeps joiners, since they change the shape of letters.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case r == 0x200c, r == 0x200d:
			return r
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
