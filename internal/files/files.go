// Package files lists the files that the paths of a user name.
package files

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File is one file to read, or an error in its place.
type File struct {
	Name string
	Size int64 // -1 if unknown
	Err  error
	// Named tells that a path names the file itself, not a folder that holds
	// it.
	Named bool
	// At is where its bytes lie, if not under Name.
	At string
	// From and To bound the bytes at which records begin that are read; To is 0
	// for the end of the file.
	From, To int64
}

// path is where the bytes of the file lie.
func (f File) path() string { return cmp.Or(f.At, f.Name) }

// List expands paths: folders are walked in lexical order, links are followed.
func List(paths []string) []File {
	w := walker{named: map[string]bool{}}
	for _, p := range paths {
		if w.named[p] {
			w.fail(p, fmt.Errorf("named twice: it is read once"))
			continue
		}
		w.named[p] = true
		if p == "-" {
			w.files = append(w.files, File{Name: p, Size: -1, Named: true})
			continue
		}
		w.seen = nil
		w.add(p, true)
	}
	return w.files
}

type walker struct {
	files []File
	named map[string]bool
	seen  []seenFolder // folders of this path, to notice loops of links
}

type seenFolder struct {
	name string
	info fs.FileInfo
}

func (w *walker) fail(name string, err error) { w.files = append(w.files, File{Name: name, Err: err}) }

func (w *walker) add(name string, named bool) {
	st, err := os.Stat(name)
	if err != nil {
		w.files = append(w.files, File{Name: name, Err: Cause(err), Named: named})
		return
	}
	switch {
	case st.IsDir():
		w.folder(name, st)
	case !named && st.Size() == 0 && strings.HasPrefix(filepath.Base(name), "."):
		// a mark such as .lock or .gitkeep
	case st.Mode().IsRegular():
		w.files = append(w.files, File{Name: name, Size: st.Size(), Named: named})
	case named: // a pipe or device that the user named
		w.files = append(w.files, File{Name: name, Size: -1, Named: named})
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
		w.fail(name, Cause(err))
	}
	for _, e := range entries { // sorted by name
		w.add(filepath.Join(name, e.Name()), false)
	}
}

// Cause drops the path that os errors carry, since the file is named anyway.
func Cause(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err
	}
	return err
}

// Identity returns a hash of the names of the files, their sizes and times of
// change: two lists with the same Identity hold the same bytes, as far as can be
// told without reading them.
func Identity(list []File) string {
	h := sha256.New()
	for _, f := range list {
		fmt.Fprintf(h, "%q %d", f.Name, f.Size)
		if f.From > 0 || f.To > 0 {
			fmt.Fprintf(h, " %d-%d", f.From, f.To)
		}
		if st, err := os.Stat(f.path()); err == nil && st.Mode().IsRegular() {
			fmt.Fprintf(h, " %d %d", st.Size(), st.ModTime().UnixNano())
		}
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil))
}
