// Package nontext embeds the model of non-text in a program. It is needed only by the group nontext
// of package filter:
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

// The model, trained by model/data/make-nontext.sh with "chaffinch train nontext"
// (docs/reference/models/nontext.md).
//
//go:embed nontext.chf
var file []byte

func init() { data.NonText = file }
