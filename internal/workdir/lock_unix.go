//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package workdir

import (
	"os"
	"syscall"
)

// lockFile locks a file or folder until it is closed or the program ends, and
// reports whether it could; with wait it waits for others to release it.
func lockFile(f *os.File, wait bool) bool {
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if err != syscall.EINTR {
			return err == nil
		}
	}
}
