// Package languages embeds the models of the language detector in a program. They take 4.6 MB.
// Without them, cleaning takes the language that a page declares:
//
//	import _ "chaffinch/model/data/languages"
//
// Packages build/recipe, filter/job and crawl import it.
//
// Unstable: this package may change in any release.
package languages

import (
	_ "embed"

	"chaffinch/model/data"
)

var (
	// langid is trained by model/data/make-langid.sh with "chaffinch train langid"
	// (docs/reference/models/langid.md).
	//
	//go:embed langid.chf
	langid []byte
	// close is trained by model/data/make-close.sh with "chaffinch train close"
	// (docs/reference/models/close.md).
	//
	//go:embed close.chf
	close []byte
)

func init() { data.Langid, data.Close = langid, close }
