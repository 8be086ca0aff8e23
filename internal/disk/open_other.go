//go:build !linux

package disk

import "os"

// OpenRegular opens a regular file to read, as os.Open does.
func OpenRegular(name string) (*os.File, error) {
	return os.Open(name)
}
