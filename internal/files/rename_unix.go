//go:build unix

package files

import "chaffinch/internal/disk"

// removable reports whether an open file can be removed.
const removable = true

// rename renames a file while it is locked.
func rename(f *disk.File, name string) error { return disk.Rename(f.Name(), name) }
