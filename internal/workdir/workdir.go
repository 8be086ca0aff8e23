// Package workdir creates folders for temporary files with [Make] and [Temp], and removes
// the folders of killed programs.
package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/internal/disk"
)

// The prefixes of the names of work folders: beside an output, and in the system's folder for
// temporary files.
const (
	besidePrefix = ".build-"
	tempPrefix   = "chaffinch-work-"
)

// Folder is a folder for temporary files. It is locked while its process lives; the lock of a
// killed process is released by the system.
type Folder struct {
	// Path is the path of the folder.
	Path string
	lock *os.File
}

// Make creates a work folder in dir, which must exist.
func Make(dir string) (*Folder, error) { return open(dir, besidePrefix) }

// Temp creates a work folder in the system's folder for temporary files.
func Temp() (*Folder, error) { return open(os.TempDir(), tempPrefix) }

// open creates a work folder and removes the folders of killed programs.
func open(dir, prefix string) (*Folder, error) {
	removeStale(dir, prefix)
	for {
		path, err := disk.MkdirTemp(dir, prefix)
		if err != nil {
			return nil, err
		}
		// Stale folders are locked before they are removed, so that this folder is either locked
		// here or gone.
		lock, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, errors.Join(err, disk.Remove(path))
		}
		if err := disk.Lock(lock); errors.Is(err, disk.ErrLocked) || !isSameFolder(lock, path) {
			lock.Close()
			continue
		}
		return &Folder{Path: path, lock: lock}, nil
	}
}

// isSameFolder reports whether f is the folder at path.
func isSameFolder(f *os.File, path string) bool {
	a, errA := f.Stat()
	b, errB := os.Stat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// removeStale removes the unlocked work folders in dir. It ignores errors.
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

// Close removes the folder and its content. It does nothing if w is nil.
func (w *Folder) Close() error {
	if w == nil || w.lock == nil {
		return nil
	}
	w.lock.Close() // first, since an open folder cannot be removed on all systems
	w.lock = nil
	return disk.RemoveAll(w.Path)
}
