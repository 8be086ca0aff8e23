//go:build !unix

// Package mapfile maps files into memory, or reads them on systems that cannot map files.
package mapfile

import "os"

// Open reads the file at path. Files cannot be mapped on this system.
func Open(path string) (b []byte, unmap func() error, err error) {
	b, err = os.ReadFile(path)
	return b, func() error { return nil }, err
}
