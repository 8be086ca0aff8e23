package data

import _ "embed"

// Close is the model of close languages, trained by make-close.sh with "chaffinch train close"
// (docs/reference/models/close.md).
//
//go:embed close.chf
var Close []byte
