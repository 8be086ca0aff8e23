// Package words makes the word n-gram models part of a program, 3 MB that most
// programs which clean pages do not need. The methods perplexity and all do, and
// so does whoever opens the model "en" by its name:
//
//	import _ "chaffinch/model/data/words"
//
// Unstable: this package may change in any release.
package words

import (
	_ "embed"

	"chaffinch/model/data"
)

// english is the English word model, made by model/data/make-en.sh
// (docs/models/en.md).
//
//go:embed words_en.chf
var english []byte

func init() { data.AddWords("en", english) }
