//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package disk

import (
	"errors"
	"os"
)

// Lock returns [errors.ErrUnsupported].
func Lock(*os.File) error { return errors.ErrUnsupported }
