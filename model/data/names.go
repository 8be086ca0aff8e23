package data

import "errors"

// Names is a list of frequent names of persons, compressed with gzip. It is nil unless the
// program imports model/data/names.
var Names []byte

// ErrNoNames is returned where names are needed in a program without them.
var ErrNoNames = errors.New(`this program has no names of persons: import _ "chaffinch/model/data/names" for them`)
