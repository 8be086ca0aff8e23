package langid

import "slices"

// similar lists languages that are easily taken for each other.
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

// Similar tells whether two languages are easily taken for each other.
func Similar(a, b string) bool {
	for _, group := range similar {
		if slices.Contains(group, a) && slices.Contains(group, b) {
			return true
		}
	}
	return false
}
