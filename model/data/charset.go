package data

import _ "embed"

// Charset is the model of encodings, trained by "chaffinch train charset"
// (docs/reference/models/charset.md).
//
//go:embed charset.chf
var Charset []byte
