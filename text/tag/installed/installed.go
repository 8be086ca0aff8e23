// Package installed finds the models of package tag on this machine: models in the program, and the
// file [Name] beside the program or in the user's data folder.
//
// Unstable: this package may change in any release.
package installed

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"chaffinch/model/data"
	"chaffinch/text/tag"
)

// Name is the name of the file that holds the models of further languages.
const Name = "chaffinch-taggers.chf"

// Files returns the files with models that exist.
func Files() (files []string) {
	var folders []string
	if program, err := os.Executable(); err == nil {
		folders = append(folders, filepath.Dir(program))
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		folders = append(folders, filepath.Join(dir, "chaffinch"))
	} else if home, err := os.UserHomeDir(); err == nil {
		folders = append(folders, filepath.Join(home, ".local", "share", "chaffinch"))
	}
	for _, dir := range folders {
		if _, err := os.Stat(filepath.Join(dir, Name)); !errors.Is(err, fs.ErrNotExist) {
			files = append(files, filepath.Join(dir, Name))
		}
	}
	return files
}

// Set returns the models in the program, in [Files] and in further files. The last model of a
// language is used. A process reads the program and Files once. Each set reads its models when they
// are needed, and they are released with it.
func Set(files ...string) (*tag.Set, error) {
	s, err := found()
	if err != nil {
		return nil, err
	}
	s = s.Clone()
	return s, add(s, files)
}

// found returns the models in the program and in Files.
var found = sync.OnceValues(func() (*tag.Set, error) {
	s := new(tag.Set)
	if data.Taggers != nil {
		if err := s.Add("embedded taggers", data.Taggers); err != nil {
			return nil, err
		}
	}
	return s, add(s, Files())
})

func add(s *tag.Set, files []string) error {
	for _, name := range files {
		if err := s.AddFile(name); err != nil {
			return err
		}
	}
	return nil
}
