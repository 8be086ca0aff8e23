package files

import (
	"io/fs"
	"path/filepath"
)

// Bytes returns the size of a file, or of all files of a folder. It ignores files that are removed
// during the walk.
func Bytes(path string) (n int64) {
	filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			n += info.Size()
		}
		return nil
	})
	return n
}
