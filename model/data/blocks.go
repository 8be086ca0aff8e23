package data

import _ "embed"

// Blocks is the model of the method blocks, trained by "chaffinch train blocks"
// (docs/reference/models/blocks.md).
//
//go:embed blocks.chf
var Blocks []byte
