//go:build !unix

package model

import "os"

// mapFile reads the file at path where it cannot be mapped.
func mapFile(path string) (b []byte, unmap func() error, err error) {
	b, err = os.ReadFile(path)
	return b, func() error { return nil }, err
}
