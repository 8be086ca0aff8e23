package robots

import "strings"

// Pattern is the path of a rule, as in "/search?", "/*.pdf$" or "/a/*/print". It matches paths, with
// their query, that begin with it. "*" matches any characters, and "$" the end of the path.
type Pattern string

// NewPattern returns the pattern in s, which begins with "/" or "*".
func NewPattern(s string) (p Pattern, ok bool) {
	if !canMatchPath(s) {
		return "", false
	}
	return Pattern(normalizePattern(s)), true
}

// Matches reports whether the pattern matches a path with its query.
func (p Pattern) Matches(path string) bool {
	return p == "/" || matches(string(p), normalizePath(path))
}

// MatchText reports whether the pattern matches a text as a whole: "*" matches any characters.
func MatchText(pattern, text string) bool { return matches(strings.TrimSuffix(pattern, "$")+"$", text) }
