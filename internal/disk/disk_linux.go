//go:build linux

package disk

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// openUnnamed creates a file without a name in dir. It returns nil if the file system does not support
// it.
func openUnnamed(dir string) *os.File {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), filepath.Join(dir, "temporary file"))
}

// SyncFileSystem writes all files on the file system of dir to stable storage: one call instead of
// one for each of many small files.
func SyncFileSystem(dir string) error {
	if err := notify(OpSync, dir); err != nil || lazy.Load() {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Syncfs(int(d.Fd()))
}
