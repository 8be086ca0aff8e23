package pipeline

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncFiles brings all files on the file system of dir to stable storage: one
// call instead of one for each of many small files.
func syncFiles(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Syncfs(int(d.Fd()))
}
