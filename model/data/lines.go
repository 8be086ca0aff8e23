package data

import _ "embed"

// Lines is the model of the method lines, trained by make-lines.sh with "chaffinch train lines"
// (docs/reference/models/lines.md).
//
//go:embed lines.chf
var Lines []byte
