package data

import _ "embed"

// NonTextEnglish is the model of non-text for English. NonTextAny is the model without words
// for all other languages. Both are trained by make-nontext.sh with "chaffinch train nontext"
// (docs/reference/models/nontext.md).
var (
	//go:embed nontext_en.chf
	NonTextEnglish []byte
	//go:embed nontext_any.chf
	NonTextAny []byte
)
