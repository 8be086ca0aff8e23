package extract

import (
	"html"
	"strings"
)

// maxRef is longer than any named reference ("&CounterClockwiseContourIntegral;").
const maxRef = 40

// decodeRef decodes the character reference that s begins with; n is its
// length in bytes, 0 if there is none. Missing semicolons and the numbers
// 128 to 159 (meant as windows-1252) are read as browsers do.
func decodeRef(s string) (val string, n int) {
	switch {
	case strings.HasPrefix(s, "&nbsp;"):
		return "\u00a0", 6
	case strings.HasPrefix(s, "&amp;"):
		return "&", 5
	case strings.HasPrefix(s, "&quot;"):
		return `"`, 6
	case strings.HasPrefix(s, "&lt;"):
		return "<", 4
	case strings.HasPrefix(s, "&gt;"):
		return ">", 4
	}
	end := 1
	if end < len(s) && s[end] == '#' {
		end++
	}
	for end < len(s) && end < maxRef && (isLetter(s[end]) || '0' <= s[end] && s[end] <= '9') {
		end++
	}
	if end < len(s) && s[end] == ';' {
		end++
	}
	if end < 3 {
		return "", 0
	}
	val = html.UnescapeString(s[:end])
	if val == s[:end] {
		return "", 0
	}
	// What follows the name without a semicolon comes back as it was.
	rest := 0
	for rest < len(val) && rest < end && val[len(val)-1-rest] == s[end-1-rest] {
		rest++
	}
	if rest == len(val) {
		rest--
	}
	return val[:len(val)-rest], end - rest
}
