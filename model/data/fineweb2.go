package data

import "errors"

// FineWeb2 returns the table of FineWeb-2's limits by language. It is nil unless the program imports
// model/data/fineweb2.
var FineWeb2 func() ([]byte, error)

// ErrNoFineWeb2 is returned where the limits of FineWeb-2 are needed in a program without them.
var ErrNoFineWeb2 = errors.New(`this program has no limits of FineWeb-2: import _ "chaffinch/model/data/fineweb2" for them`)
