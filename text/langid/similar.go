package langid

import "slices"

// similar lists languages that are easily confused.
var similar = [][]string{
	{"cs", "sk"},
	{"bs", "cnr", "hr", "sr", "sr-Latn"},
	{"da", "nb", "nn"},
	{"ast", "ca", "es", "gl", "oc", "pt"},
	{"id", "ms"},
	{"bg", "mk"},
	{"be", "ru", "uk"},
	{"hi", "mr", "ne"},
	{"yue", "zh-Hans", "zh-Hant"},
	{"af", "nl"},
	{"xh", "zu"},
}

// Similar reports whether two languages are easily confused.
func Similar(a, b string) bool {
	for _, group := range similar {
		if slices.Contains(group, a) && slices.Contains(group, b) {
			return true
		}
	}
	return false
}
