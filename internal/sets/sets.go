// Package sets makes sets of words.
package sets

import "strings"

// Words returns the set of the words of a list that are separated by spaces or line ends.
func Words(list string) map[string]bool {
	set := make(map[string]bool, strings.Count(list, " ")+strings.Count(list, "\n"))
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
