package annotate

import (
	"strings"
	"unicode"

	"chaffinch/internal/table"
)

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

// wrap cuts s into rows of at most n columns (n at least 2), behind a blank in
// the second half of the row if there is one; at most rows of them if that is
// not 0, the last then ending in "…" if there is more.
func wrap(s string, n, rows int) []string {
	var out []string
	for {
		head := firstColumns(s, n)
		if len(head) == len(s) {
			return append(out, s)
		}
		if rows > 0 && len(out) == rows-1 {
			return append(out, firstColumns(s, n-1)+"…")
		}
		next := head
		if i := strings.LastIndexByte(head, ' '); i > len(head)/2 && s[len(head)] != ' ' {
			next = head[:i+1]
		}
		out = append(out, strings.TrimRight(next, " "))
		if s = strings.TrimLeft(s[len(next):], " "); s == "" {
			return out
		}
	}
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

// fit returns s in exactly n columns.
func fit(s string, n int) string {
	if table.Width(s) > n {
		s = firstColumns(s, n-1) + "…"
		if n < 1 {
			s = ""
		}
	}
	return s + strings.Repeat(" ", max(n-table.Width(s), 0))
}
