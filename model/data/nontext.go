package data

import "errors"

// NonTextEnglish is the model of non-text for English. NonTextAny is the model without words
// for all other languages. Both are nil unless the program imports model/data/nontext.
var NonTextEnglish, NonTextAny []byte

// ErrNoNonText is returned where the models of non-text are needed in a program without them.
var ErrNoNonText = errors.New(`this program has no models of non-text: import _ "chaffinch/model/data/nontext" for them`)
