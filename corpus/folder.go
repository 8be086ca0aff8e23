package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
)

// workPrefix begins the name of the folder of temporary files of a builder.
const workPrefix = ".build-"

// workFolder is the folder of temporary files of a builder. It is locked while
// the builder lives: the lock of a program that was killed goes with it.
type workFolder struct {
	path string
	lock *os.File
}

// newWorkFolder makes a work folder in dir, and removes what builders that were
// killed have left there.
func newWorkFolder(dir string) (*workFolder, error) {
	// With dir locked no builder is between making its folder and locking it.
	if all, err := os.Open(dir); err == nil {
		defer all.Close()
		if lockFile(all, true) {
			removeStale(dir)
		}
	}
	path, err := os.MkdirTemp(dir, workPrefix+"*")
	if err != nil {
		return nil, err
	}
	w := &workFolder{path: path}
	if w.lock, err = os.Open(path); err != nil {
		return nil, errors.Join(err, os.Remove(path))
	}
	lockFile(w.lock, false)
	return w, nil
}

// removeStale removes the work folders in dir that nobody has locked, and if
// nobody works in dir the unfinished indexes, too. What cannot be removed stays.
func removeStale(dir string) {
	alive := false
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if !strings.HasPrefix(e.Name(), workPrefix) {
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
		if strings.HasPrefix(e.Name(), "."+fileName+".") {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// close removes the folder and all in it.
func (w *workFolder) close() error {
	if w == nil {
		return nil
	}
	w.lock.Close() // first: what is open cannot be removed everywhere
	return os.RemoveAll(w.path)
}
