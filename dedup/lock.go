package dedup

import (
	"errors"
	"os"

	"chaffinch/internal/disk"
)

// lock locks a file for this process until unlock is called or the process ends.
func lock(name string) (unlock func(), err error) {
	f, err := disk.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := disk.Lock(f.File); errors.Is(err, disk.ErrLocked) {
		f.Close()
		return nil, errors.New("another run is at work in it: wait for its end, or name another work folder")
	}
	return func() { f.Close() }, nil
}
