// Package files lists input files with [List] and writes output files atomically with [Create] and
// [Replace].
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

// PageList is the name of the file that lists the pages in an output folder of chaffinch clean.
// [List] omits it from the files of a folder, because it is not text.
const PageList = "chaffinch-pages.jsonl"

// File is a file to read, or an error instead.
type File struct {
	Name string
	Size int64 // -1 if unknown
	Err  error
	// Named is set if a path of the user is the file itself, not a folder that contains it.
	Named bool
	// At is the path of the content. Default: Name.
	At string
	// From and To limit the offsets at which records to read begin. To 0 means the end of the file.
	From, To int64
	// Arrival, if not nil, reports how much of the content is there: see input.Arrival.
	Arrival interface {
		Wait(end int64) (int64, error)
	}
}

// bytes returns the number of bytes to read, 0 if the size is unknown.
func (f File) bytes() int64 { return max(0, cmp.Or(f.To, f.Size)-f.From) }

// path returns the path of the content.
func (f File) path() string { return cmp.Or(f.At, f.Name) }

// List expands paths. Folders are walked in lexical order; links are followed.
func List(paths []string) []File {
	w := walker{named: map[string]bool{}}
	for _, p := range paths {
		key := p
		if abs, err := filepath.Abs(p); err == nil && p != "-" {
			key = abs
		}
		if w.named[key] {
			w.fail(p, fmt.Errorf("named twice: it is read once"))
			continue
		}
		w.named[key] = true
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
	seen  []seenFolder // folders of this path, to detect loops of links
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
	case !named && filepath.Base(name) == PageList:
		// lists the other files of the folder
	case !named && st.Size() == 0 && strings.HasPrefix(filepath.Base(name), "."):
		// a marker file such as .lock or .gitkeep
	case st.Mode().IsRegular():
		w.files = append(w.files, File{Name: name, Size: st.Size(), Named: named})
	case named: // a pipe or device that the user named
		w.files = append(w.files, File{Name: name, Size: -1, Named: named})
	}
}

// folder adds the files of a folder. A link to a folder that was read already is an error; the
// folder is not read again.
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

// Cause removes the path from an os error: the caller adds the file name.
func Cause(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err
	}
	return err
}

// Identity returns a hash of the names, sizes and modification times of the files. Lists with the
// same Identity are assumed to hold the same bytes.
func Identity(list []File) string {
	h := sha256.New()
	for _, f := range list {
		fmt.Fprintf(h, "%q %d", f.Name, f.Size)
		if f.From > 0 || f.To > 0 {
			fmt.Fprintf(h, " %d-%d", f.From, f.To)
		}
		if f.Arrival == nil { // else the time of modification changes
			if st, err := os.Stat(f.path()); err == nil && st.Mode().IsRegular() {
				fmt.Fprintf(h, " %d %d", st.Size(), st.ModTime().UnixNano())
			}
		}
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil))
}
