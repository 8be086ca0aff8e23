// Package workdir makes folders of temporary files, and takes away those that
// killed programs have left.
package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/internal/disk"
)

// The names of work folders begin with these: beside what is being made, and in
// the system's folder for temporary files.
const (
	besidePrefix = ".build-"
	tempPrefix   = "chaffinch-work-"
)

// Folder is a folder of temporary files. It is locked while its maker lives:
// the lock of a program that was killed goes with it.
type Folder struct {
	// Path is where it is.
	Path string
	lock *os.File
}

// Make makes a work folder in dir, which must be there.
func Make(dir string) (*Folder, error) { return open(dir, besidePrefix) }

// Temp makes a work folder in the system's folder for temporary files.
func Temp() (*Folder, error) { return open(os.TempDir(), tempPrefix) }

// open makes a work folder and removes those that killed programs have left.
func open(dir, prefix string) (*Folder, error) {
	removeStale(dir, prefix)
	for {
		path, err := disk.MkdirTemp(dir, prefix)
		if err != nil {
			return nil, err
		}
		// Whoever removes stale folders locks them first, so that this one is
		// either locked here or gone.
		lock, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, errors.Join(err, disk.Remove(path))
		}
		if err := disk.Lock(lock); errors.Is(err, disk.ErrLocked) || !same(lock, path) {
			lock.Close()
			continue
		}
		return &Folder{Path: path, lock: lock}, nil
	}
}

// same tells whether an open folder is that of a path.
func same(f *os.File, path string) bool {
	a, errA := f.Stat()
	b, errB := os.Stat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// removeStale removes the work folders in dir that nobody has locked. What
// cannot be removed stays.
func removeStale(dir, prefix string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !e.IsDir() || !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		if disk.Lock(f) == nil {
			disk.RemoveAll(path)
		}
		f.Close()
	}
}

// Close removes the folder and all in it. That of nil does nothing.
func (w *Folder) Close() error {
	if w == nil || w.lock == nil {
		return nil
	}
	w.lock.Close() // first: what is open cannot be removed everywhere
	w.lock = nil
	return disk.RemoveAll(w.Path)
}
