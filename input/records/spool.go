package records

import (
	"fmt"
	"io"
	"path/filepath"

	"chaffinch/internal/disk"
)

// Spool copies in to a file in the folder dir, because a collection is read twice. It returns
// the path of the file for [Config.Stdin]. The caller must remove the file.
func Spool(in io.Reader, dir string) (path string, err error) {
	path = filepath.Join(dir, "stdin")
	f, err := disk.Create(path)
	if err != nil {
		return "", err
	}
	n, err := io.Copy(f, in)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		disk.Remove(path)
		return "", fmt.Errorf("spooling standard input, after %d bytes: %w", n, err)
	}
	return path, nil
}
