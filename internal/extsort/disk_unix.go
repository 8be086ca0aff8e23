//go:build unix

package extsort

import "golang.org/x/sys/unix"

// freeBytes returns the number of bytes that an unprivileged user can still write on the file
// system of dir.
func freeBytes(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil
}
