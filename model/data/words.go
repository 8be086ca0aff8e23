package data

import (
	"fmt"
	"maps"
	"slices"
)

var words = map[string][]byte{}

// AddWords makes a word n-gram model part of the program; the package
// model/data/words does so for all that there are.
func AddWords(name string, b []byte) { words[name] = b }

// Words returns the word n-gram model of a language, such as "en", if the
// program has it.
func Words(name string) (b []byte, ok bool) {
	b, ok = words[name]
	return b, ok
}

// WordModels tells in an error which word n-gram models the program has.
func WordModels() string {
	if len(words) == 0 {
		return `this program has no embedded word models: import _ "chaffinch/model/data/words" for them`
	}
	return fmt.Sprintf("embedded word models are %v", slices.Sorted(maps.Keys(words)))
}
