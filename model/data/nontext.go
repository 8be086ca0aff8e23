package data

import "errors"

// NonText is the model of non-text, nil unless the program imports model/data/nontext.
var NonText []byte

// ErrNoNonText is returned where the model of non-text is needed in a program without it.
var ErrNoNonText = errors.New(`this program has no model of non-text: import _ "chaffinch/model/data/nontext" for it`)
