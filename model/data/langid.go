package data

import _ "embed"

// Langid is the model of the language detector, trained by make-langid.sh with "chaffinch train
// langid" (docs/reference/models/langid.md).
//
//go:embed langid.chf
var Langid []byte
