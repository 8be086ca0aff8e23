package data

import _ "embed"

// NCleanerEnglish and NCleanerNonLexical are the pairs of character models of the method
// ncleaner, trained by "chaffinch train ncleaner" (docs/reference/models/ncleaner.md).
var (
	//go:embed ncleaner_en.chf
	NCleanerEnglish []byte
	//go:embed ncleaner_nonlexical.chf
	NCleanerNonLexical []byte
)
