package pipeline

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
	"chaffinch/page"
)

// ListName is the file in an output directory that lists its pages. It has one JSON line for
// each input page, in order, with the name of the page's file.
const ListName = files.PageList

// Dir is a Sink that writes each record to a separate file and lists the files in [ListName]. A
// page file is written completely or not at all.
type Dir struct {
	root  string
	names *namer
	list  *Stream
	last  string // directory known to exist
	// inputs are the input files in root, which must not be overwritten.
	inputs map[string]bool
}

// listed is one line of the list.
type listed struct {
	File   string      `json:"file,omitempty"`
	ID     string      `json:"id"`
	URL    string      `json:"url,omitempty"`
	Source page.Source `json:"source"`
	Drop   page.Reason `json:"drop,omitempty"`
}

// OpenDir opens a directory as a Sink and creates it if it does not exist. The files get the
// suffix ext, such as ".txt", and the same subdirectories as below inputs, the paths that the
// user named. length is the length of the list to resume from, 0 at the beginning. If done is
// set, only the list must still be renamed.
func OpenDir(root, ext string, inputs []string, length int64, done bool) (*Dir, error) {
	if err := disk.MkdirAll(root); err != nil {
		return nil, err
	}
	d := &Dir{root: root, names: newNamer(inputs, ext), inputs: inputsIn(root, inputs)}
	name := filepath.Join(root, ListName)
	var err error
	if d.list, err = OpenStream(name, length, done); err != nil || done {
		return d, err
	}
	if err := d.reload(files.Part(name), length); err != nil {
		d.list.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// inputsIn returns the real paths of the input files in root.
func inputsIn(root string, inputs []string) map[string]bool {
	in := map[string]bool{}
	root = files.RealPath(root)
	for _, name := range inputs {
		if rel, err := filepath.Rel(root, files.RealPath(name)); name == "-" || err != nil || !filepath.IsLocal(rel) {
			continue
		}
		for _, f := range files.List([]string{name}) {
			in[files.RealPath(f.Name)] = true
		}
	}
	return in
}

// reload marks the names that the list contains before the checkpoint as taken.
func (d *Dir) reload(name string, length int64) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	dec := json.NewDecoder(bufio.NewReader(io.LimitReader(f, length)))
	for {
		var l struct {
			File string `json:"file"`
		}
		if err := dec.Decode(&l); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if l.File != "" {
			d.names.take(l.File)
		}
	}
}

// Put writes the page file of r, unless r has no bytes, and its line in the list.
func (d *Dir) Put(r *Record) error {
	l := listed{ID: r.ID, URL: r.URL, Source: r.Source, Drop: r.Drop}
	if len(r.Bytes) > 0 {
		var shortened bool
		if l.File, shortened = d.names.name(r.Source); shortened {
			r.Shortened = l.File
		}
		file := filepath.Join(d.root, filepath.FromSlash(l.File))
		if dir := filepath.Dir(file); dir != d.last {
			if err := disk.MkdirAll(dir); err != nil {
				return err
			}
			d.last = dir
		}
		if len(d.inputs) > 0 && d.inputs[files.RealPath(file)] {
			return fmt.Errorf("output %s is an input, which would be lost: write into another folder", file)
		}
		if err := files.WriteFileWith(file, r.Bytes, files.Options{Unsynced: true, ReplaceLink: true}); err != nil {
			return err
		}
	}
	line, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return d.list.Put(&Record{Bytes: append(line, '\n')})
}

// Cut returns the length of the list.
func (d *Dir) Cut() (Place, error) { return d.list.Cut() }

// Sync writes page files and list to stable storage.
func (d *Dir) Sync() error {
	if err := disk.SyncFileSystem(d.root); err != nil {
		return err
	}
	return d.list.Sync()
}

// Publish renames the list to its final name. The page files already have theirs.
func (d *Dir) Publish() error { return d.list.Publish() }

// Close closes the list.
func (d *Dir) Close() error { return d.list.Close() }
