package data

import _ "embed"

// Charset is the model of encodings, made by "chaffinch train charset"
// (docs/models/charset.md).
//
//go:embed charset.chf
var Charset []byte
