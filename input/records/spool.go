package records

import (
	"fmt"
	"io"
	"path/filepath"

	"chaffinch/internal/disk"
)

// Spool copies what in holds into a file of the folder dir, since a collection
// is read twice, and returns its path for [Config.Stdin]. The file is the
// caller's to remove.
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
