//go:build !unix

// Package mapfile maps files into memory, or reads them where that cannot be.
package mapfile

import "os"

// Open reads the file at path where it cannot be mapped.
func Open(path string) (b []byte, unmap func() error, err error) {
	b, err = os.ReadFile(path)
	return b, func() error { return nil }, err
}
