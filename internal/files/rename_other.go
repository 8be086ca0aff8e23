//go:build !unix

package files

import "chaffinch/internal/disk"

// removable tells that an open file can be removed.
const removable = false

// rename closes a file, which cannot be renamed before, and gives it its name.
func rename(f *disk.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return disk.Rename(f.Name(), name)
}
