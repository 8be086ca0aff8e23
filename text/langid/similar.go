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
func Similar(a, b string) bool { return slices.Contains(similarTo(a), b) }

// similarTo returns the group of similar languages that includes lang, nil for none.
func similarTo(lang string) []string {
	for _, group := range similar {
		if slices.Contains(group, lang) {
			return group
		}
	}
	return nil
}
