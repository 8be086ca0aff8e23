//go:build unix

package extsort

import (
	"os"

	"golang.org/x/sys/unix"
)

// freeBytes returns how many bytes an ordinary user can still write where dir
// is.
func freeBytes(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}

// syncDir puts the names in a folder on the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
