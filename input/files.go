package input

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// file is one file to read, or an error in its place.
type file struct {
	name string
	size int64 // -1 if unknown
	err  error
}

// list expands paths: folders are walked in lexical order, links are followed.
func list(paths []string) []file {
	w := walker{named: map[string]bool{}}
	for _, p := range paths {
		if w.named[p] {
			w.fail(p, fmt.Errorf("named twice: it is read once"))
			continue
		}
		w.named[p] = true
		if p == "-" {
			w.files = append(w.files, file{name: p, size: -1})
			continue
		}
		w.seen = nil
		w.add(p, true)
	}
	return w.files
}

type walker struct {
	files []file
	named map[string]bool
	seen  []seenFolder // folders of this path, to notice loops of links
}

type seenFolder struct {
	name string
	info fs.FileInfo
}

func (w *walker) fail(name string, err error) { w.files = append(w.files, file{name: name, err: err}) }

func (w *walker) add(name string, named bool) {
	st, err := os.Stat(name)
	if err != nil {
		w.fail(name, cause(err))
		return
	}
	switch {
	case st.IsDir():
		w.folder(name, st)
	case st.Mode().IsRegular():
		w.files = append(w.files, file{name: name, size: st.Size()})
	case named: // a pipe or device that the user named
		w.files = append(w.files, file{name: name, size: -1})
	}
}

// folder adds what is in a folder. Links may lead to a folder that was read
// already; such a folder is an error and is not read again.
func (w *walker) folder(name string, st fs.FileInfo) {
	for _, s := range w.seen {
		if os.SameFile(s.info, st) {
			w.fail(name, fmt.Errorf("a link to the folder %s, which is read already: not read again", s.name))
			return
		}
	}
	w.seen = append(w.seen, seenFolder{name, st})
	entries, err := os.ReadDir(name)
	if err != nil {
		w.fail(name, cause(err))
	}
	for _, e := range entries { // sorted by name
		w.add(filepath.Join(name, e.Name()), false)
	}
}

// cause drops the path that os errors carry, since the file is named anyway.
func cause(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err
	}
	return err
}
