// Package taggers embeds taggers of ten languages in a program, 11 MB, for package
// text/tag/installed:
//
//	import _ "chaffinch/model/data/taggers"
//
// The command imports it.
//
// Unstable: this package may change in any release.
package taggers

import (
	_ "embed"

	"chaffinch/model/data"
)

// models was trained by make.sh (docs/reference/models/taggers.md).
//
//go:embed taggers.chf
var models []byte

func init() { data.Taggers = models }
