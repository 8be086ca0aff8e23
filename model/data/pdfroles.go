package data

import _ "embed"

// PDFRoles is the model of the roles of PDF paragraphs, trained by "go run ./lab/eval/pdfroles"
// (docs/reference/models/pdfroles.md).
//
//go:embed pdfroles.chf
var PDFRoles []byte
