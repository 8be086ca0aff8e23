package data

import "errors"

// Registers is the model of registers. It is nil unless the program imports
// model/data/registers.
var Registers []byte

// ErrNoRegisters is returned where the model of registers is needed in a program without it.
var ErrNoRegisters = errors.New(`this program has no model of registers: import _ "chaffinch/model/data/registers" for it`)
