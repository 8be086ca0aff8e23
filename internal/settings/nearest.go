package settings

import (
	"strings"
	"unicode/utf8"

	"chaffinch/internal/align"
)

// Nearest returns the one of names that was probably meant by name: the same but
// for case and hyphens, else with the fewest changes, at most a third of its
// letters; "" if there is none.
func Nearest(name string, names []string) string {
	best, fewest := "", 1+max(1, (utf8.RuneCountInString(name)+2)/3)
	for _, n := range names {
		if letters(n) == letters(name) {
			return n
		}
		if d := align.Distance(runes(n), runes(name)); d < fewest {
			best, fewest = n, d
		}
	}
	return best
}

// letters are those of a name in lower case.
func letters(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name))
}

func runes(s string) []int32 { return []rune(s) }
