// Package sets makes sets of words.
package sets

import "strings"

// Words returns the set of the words of a list that are separated by spaces or line ends.
func Words(list string) map[string]bool {
	n := 0
	for range strings.FieldsSeq(list) {
		n++
	}
	set := make(map[string]bool, n)
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
