package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chaffinch/internal/files"
	"chaffinch/model"
)

// ownedFolder is a kind of folder whose files one command writes. Files that other
// commands write into it would replace these files, or be read as part of it.
type ownedFolder struct {
	what  string
	marks []string // the names, with wildcards, of what every such folder holds
	kind  string   // the kind of the model container that is the first mark, "" if it is none
	maker string   // the command that may write into the folder
}

var ownedFolders = []ownedFolder{
	{"a corpus index", []string{"index.chf"}, "corpus.index", "corpus index"},
	{"a plagiarism index", []string{"index.chf"}, "plagiarism.index", "plagiarism index"},
	{"a dedup index", []string{"index.json", "ids*"}, "", ""},
	{"a crawl folder", []string{"crawl.json", "frontier"}, "", "crawl run"},
	{"a build folder", []string{"build.json", "steps"}, "", "build run"},
}

// holds reports whether a folder is of this kind.
func (o *ownedFolder) holds(dir string) bool {
	for _, mark := range o.marks {
		if list, err := fs.Glob(os.DirFS(dir), mark); err != nil || len(list) == 0 {
			return false
		}
	}
	if o.kind == "" {
		return true
	}
	f, err := model.OpenUnverified(filepath.Join(dir, o.marks[0]))
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Kind == o.kind
}

// checkOwned returns an error if an output of a command is a folder that another
// command owns.
func checkOwned(command string, outputs []files.Place) error {
	for _, out := range outputs {
		for _, o := range ownedFolders {
			if command != o.maker && o.holds(out.Path) {
				return fmt.Errorf("%s %s is %s, which this command would overwrite: name another folder or a file", out.What, out.Path, o.what)
			}
		}
	}
	return nil
}
