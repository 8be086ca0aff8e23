// Package registers embeds the model of registers in a program. Its 0.6 MB are needed only by the
// stage "registers" and by the group register of package filter:
//
//	import _ "chaffinch/model/data/registers"
//
// Packages build/recipe and filter/job import it.
//
// Unstable: this package may change in any release.
package registers

import (
	_ "embed"

	"chaffinch/model/data"
)

// model was trained by model/data/make-registers.sh (docs/reference/models/registers.md).
//
//go:embed registers.chf
var model []byte

func init() { data.Registers = model }
