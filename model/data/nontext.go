package data

import "errors"

// NonTextEnglish is the model of non-text for English. NonTextAny is the model without words
// for all other languages. Both are nil unless the program imports model/data/nontext.
var NonTextEnglish, NonTextAny []byte

// NoNonText is the error of what needs the models of non-text in a program without them.
var NoNonText = errors.New(`this program has no models of non-text: import _ "chaffinch/model/data/nontext" for them`)
