// Package workdir makes folders of temporary files beside what is being made,
// and takes away those that killed programs have left.
package workdir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// prefix begins the name of the folder of temporary files of a builder.
const prefix = ".build-"

// Folder is the folder of temporary files of a builder. It is locked while the
// builder lives: the lock of a program that was killed goes with it.
type Folder struct {
	// Path is where it is.
	Path string
	lock *os.File
}

// Make makes a work folder in dir, which must be there, and removes what
// builders that were killed have left there: work folders, and if nobody works
// in dir the unfinished files that [chaffinch/model.Create] makes on the way to
// file.
func Make(dir, file string) (*Folder, error) {
	// With dir locked no builder is between making its folder and locking it.
	if all, err := os.Open(dir); err == nil {
		defer all.Close()
		if lockFile(all, true) {
			removeStale(dir, file)
		}
	}
	path, err := os.MkdirTemp(dir, prefix+"*")
	if err != nil {
		return nil, err
	}
	w := &Folder{Path: path}
	if w.lock, err = os.Open(path); err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	lockFile(w.lock, false)
	return w, nil
}

// removeStale removes the work folders in dir that nobody has locked, and if
// nobody works in dir the unfinished files, too. What cannot be removed stays.
func removeStale(dir, file string) {
	alive := false
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			alive = true
			continue
		}
		if lockFile(f, false) {
			os.RemoveAll(path)
		} else {
			alive = true
		}
		f.Close()
	}
	if alive {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "."+file+".") {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Close removes the folder and all in it. That of nil does nothing.
func (w *Folder) Close() error {
	if w == nil {
		return nil
	}
	w.lock.Close() // first: what is open cannot be removed everywhere
	return os.RemoveAll(w.Path)
}
