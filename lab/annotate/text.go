package annotate

import (
	"strings"
	"unicode"

	"chaffinch/internal/table"
)

// Safe returns foreign text as a terminal may have it, cut to n columns (at least 2), then
// ending in "…".
func Safe(s string, n int) string {
	s, n = safe(s), max(n, 2)
	if table.Width(s) <= n {
		return s
	}
	return firstColumns(s, n-1) + "…"
}

// safe returns foreign text as a terminal may have it: tabs are blanks, what
// steers the terminal or the direction of text is shown as U+FFFD. The joiners
// stay, since they change how letters look.
func safe(s string) string {
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

// firstColumns returns the beginning of s that fits into n columns, at least
// one character if n is 2 or more.
func firstColumns(s string, n int) string {
	used := 0
	for i, r := range s {
		if used += table.RuneWidth(r); used > n {
			return s[:i]
		}
	}
	return s
}
