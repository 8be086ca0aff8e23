// Package nontext embeds the models of non-text in a program. Their 0.3 MB are needed only by
// the group nontext of package filter:
//
//	import _ "chaffinch/model/data/nontext"
//
// Packages build/recipe and filter/job import it.
//
// Unstable: this package may change in any release.
package nontext

import (
	_ "embed"

	"chaffinch/model/data"
)

// The models, trained by model/data/make-nontext.sh with "chaffinch train nontext"
// (docs/reference/models/nontext.md).
var (
	//go:embed nontext_en.chf
	english []byte
	//go:embed nontext_any.chf
	other []byte
)

func init() { data.NonTextEnglish, data.NonTextAny = english, other }
