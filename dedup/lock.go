package dedup

import (
	"errors"

	"chaffinch/internal/disk"
)

// lock locks a file for this process until unlock is called or the process ends.
func lock(name string) (unlock func(), err error) {
	f, err := disk.OpenLocked(name)
	if errors.Is(err, disk.ErrLocked) {
		err = errors.New("another run is at work in it: wait for its end, or name another work folder")
	}
	return func() { f.Close() }, err
}
