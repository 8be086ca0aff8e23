package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"chaffinch/internal/disk"
)

// partSuffix is the suffix of the names of parts.
const partSuffix = ".part"

// Part returns the path of an output that several runs write, until it is complete. It is in the
// folder of the output, after symbolic links are resolved.
func Part(name string) string { return partPath(target(name)) }

func partPath(name string) string { return name + partSuffix }

// openPart opens an output that several runs may write and appends after its first length bytes.
// Until [Output.Commit] it is a [Part], which remains if the run is interrupted. Pipes and devices
// are written in place.
func openPart(name string, length int64) (*Output, error) {
	return open(name, Options{part: true}, partPath, length)
}

// Publish renames a complete part of an earlier run to its final name. It ignores files that have
// their final name already, pipes and devices.
func Publish(name string) error {
	if Special(name) {
		return nil
	}
	name = target(name)
	if err := disk.Rename(partPath(name), name); err != nil {
		if _, e := os.Stat(name); e == nil && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	return disk.SyncDir(filepath.Dir(name))
}
