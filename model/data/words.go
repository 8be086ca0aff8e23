package data

import (
	"fmt"
	"maps"
	"slices"
)

var words = map[string][]byte{}

// AddWords embeds a word n-gram model in the program. Package model/data/words calls it for all
// available models.
func AddWords(name string, b []byte) { words[name] = b }

// Words returns the word n-gram model of a language, such as "en", and reports whether the
// program embeds it.
func Words(name string) (b []byte, ok bool) {
	b, ok = words[name]
	return b, ok
}

// WordModels returns the embedded word n-gram models as part of an error message.
func WordModels() string {
	if len(words) == 0 {
		return `this program has no embedded word models: import _ "chaffinch/model/data/words" for them`
	}
	return fmt.Sprintf("embedded word models are %v", slices.Sorted(maps.Keys(words)))
}
