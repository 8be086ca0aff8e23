package settings

import (
	"strings"
	"unicode/utf8"

	"chaffinch/internal/align"
)

// Nearest returns the element of names that name is probably a misspelling of. It is the element
// equal to it except for case and hyphens. Otherwise it is the one with the fewest edits, at most a
// third of its letters. Nearest returns "" if there is none.
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

// DidYouMean returns a hint on the [Nearest] of names, to append to an error, or "".
func DidYouMean(name string, names []string) string {
	if near := Nearest(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// letters returns the letters of a name in lower case.
func letters(name string) string {
	return strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name))
}

func runes(s string) []int32 { return []rune(s) }
