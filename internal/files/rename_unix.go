//go:build unix

package files

import "chaffinch/internal/disk"

// removable tells that an open file can be removed.
const removable = true

// rename gives a file, which is still locked, its name.
func rename(f *disk.File, name string) error { return disk.Rename(f.Name(), name) }
