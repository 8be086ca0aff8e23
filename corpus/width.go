package corpus

import (
	"unicode/utf8"

	"chaffinch/internal/table"
)

// width returns the number of columns of s.
func width(s string) int { return table.Width(s) }

// lastColumns returns the end of s that fits into n columns. It does not begin with
// a combining mark.
func lastColumns(s string, n int) string {
	used, from := 0, len(s)
	for i := len(s); i > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
		w := table.RuneWidth(r)
		if used += w; used > n {
			break
		}
		if w > 0 {
			from = i
		}
	}
	return s[from:]
}
