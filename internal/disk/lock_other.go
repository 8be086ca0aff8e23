//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package disk

import (
	"errors"
	"os"
)

// Lock says that nothing can be locked here.
func Lock(*os.File) error { return errors.ErrUnsupported }
