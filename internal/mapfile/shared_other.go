//go:build !unix

package mapfile

import (
	"errors"
	"os"
)

// Anonymous returns n zeros, which may be written to.
func Anonymous(n int) ([]byte, error) { return make([]byte, n), nil }

// Shared returns [errors.ErrUnsupported].
func Shared(*os.File, int64, int) ([]byte, error) { return nil, errors.ErrUnsupported }

// Unmap does nothing.
func Unmap([]byte) error { return nil }
