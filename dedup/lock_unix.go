//go:build unix

package dedup

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock takes a file for this process alone, until unlock is called or the
// process ends.
func lock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = errors.New("another run is at work in it: wait for its end, or name another work folder")
		}
		return nil, err
	}
	return func() { f.Close() }, nil
}
