package explain

import (
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"
)

// shortChars is the number of characters shown of a block when the file has reached its
// limit.
const shortChars = 200

// cut returns the first chars characters of s.
func cut(s string, chars int) string {
	if len(s) <= chars {
		return s
	}
	n := 0
	for i := range s {
		if n == chars {
			return s[:i]
		}
		n++
	}
	return s
}

// units returns, for byte offsets of s in ascending order, the same places in
// UTF-16 units, as JavaScript counts; an invalid byte counts as one, since it
// is written as U+FFFD.
func units(s string, offsets []int) []int {
	out := make([]int, len(offsets))
	at, n := 0, 0
	for k, o := range offsets {
		for at < o && at < len(s) {
			r, size := utf8.DecodeRuneInString(s[at:])
			at += size
			n++
			if r > 0xFFFF {
				n++
			}
		}
		out[k] = n
	}
	return out
}

// isWeb reports whether url can be followed without danger.
func isWeb(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

// shown writes a value of JSON for the eye.
func shown(v any) string {
	switch v := v.(type) {
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = shown(v[i])
		}
		return strings.Join(parts, ", ")
	case map[string]any:
		return string(configOf(v))
	case string:
		return v
	}
	return fmt.Sprint(v)
}

// mapKeys yields the keys of m.
func mapKeys[V any](m map[string]V) iter.Seq[string] {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
