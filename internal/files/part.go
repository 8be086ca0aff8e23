package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"chaffinch/internal/disk"
)

// partSuffix is what the name of a part has behind that of its output.
const partSuffix = ".part"

// Part returns where an output that grows over several runs lies until it is
// whole: beside the file that it will be, behind symbolic links.
func Part(name string) string { return beside(target(name)) }

func beside(name string) string { return name + partSuffix }

// openPart opens an output that may grow over several runs, to be written on
// behind what it has up to length. Until [Output.Commit] it is a [Part], which
// stays if the run does not come so far. Pipes and devices are written in place.
func openPart(name string, length int64) (*Output, error) {
	return open(name, Options{part: true}, beside, length)
}

// Publish gives a part that a run has left whole its name. A file that has it
// already is left, as are pipes and devices.
func Publish(name string) error {
	if Special(name) {
		return nil
	}
	name = target(name)
	if err := disk.Rename(beside(name), name); err != nil {
		if _, e := os.Stat(name); e == nil && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return disk.SyncDir(filepath.Dir(name))
}
