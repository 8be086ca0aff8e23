package data

import "errors"

// Langid is the model of the language detector and Close the model of close languages. Both are
// nil unless the program imports model/data/languages.
var Langid, Close []byte

// ErrNoLanguages is returned where the language detector is needed in a program without its model.
var ErrNoLanguages = errors.New(`this program has no model of languages: import _ "chaffinch/model/data/languages" for it`)
