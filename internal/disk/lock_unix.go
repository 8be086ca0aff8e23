//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"errors"
	"os"
	"syscall"
)

// Lock locks a file or folder for this process until it is closed or the program ends. It returns
// [ErrLocked] if another process holds the lock, and [errors.ErrUnsupported] if the file system
// does not support locks.
func Lock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		case err != syscall.EINTR:
			return errors.ErrUnsupported
		}
	}
}
