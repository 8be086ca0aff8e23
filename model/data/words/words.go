// Package words embeds the word n-gram models in a program. Their 3 MB are needed only by the
// methods perplexity and all, and to open the model "en" by name:
//
//	import _ "chaffinch/model/data/words"
//
// Unstable: this package may change in any release.
package words

import (
	_ "embed"

	"chaffinch/model/data"
)

// english is the English word model, built by model/data/make-en.sh (docs/reference/models/en.md).
//
//go:embed words_en.chf
var english []byte

func init() { data.AddWords("en", english) }
