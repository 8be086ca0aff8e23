//go:build !unix

package files

import "chaffinch/internal/disk"

// removable reports whether an open file can be removed.
const removable = false

// rename closes a file, since an open file cannot be renamed, and renames it.
func rename(f *disk.File, name string) error {
	if err := f.Close(); err != nil {
		return err
	}
	return disk.Rename(f.Name(), name)
}
