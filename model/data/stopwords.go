package data

import _ "embed"

// Stopwords is the model file with the stop lists of all languages, built by "chaffinch train
// stopwords" (docs/reference/models/stopwords.md).
//
//go:embed stopwords.chf
var Stopwords []byte
