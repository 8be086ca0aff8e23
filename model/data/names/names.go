// Package names embeds frequent names of persons in a program. Their 46 kB are needed only to
// find and replace names in text, by package filter/pii:
//
//	import _ "chaffinch/model/data/names"
//
// Package filter/job imports it.
//
// Unstable: this package may change in any release.
package names

import (
	_ "embed"

	"chaffinch/model/data"
)

// names is the list of model/data/make-names.py.
//
//go:embed names.txt.gz
var names []byte

func init() { data.Names = names }
