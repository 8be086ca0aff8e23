package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
)

// Folder is a folder that implements [Store]. Its files are the objects, except files whose
// path has a name that begins with a dot.
type Folder string

// String returns its path.
func (f Folder) String() string { return string(f) }

// Path returns the path of the file of an object.
func (f Folder) Path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

// Stat returns the properties of an object.
func (f Folder) Stat(_ context.Context, name string) (Object, error) {
	o, err := StatFile(f.Path(name))
	o.Name = name
	return o, err
}

// StatFile returns the properties of a file as an object.
func StatFile(path string) (Object, error) {
	st, err := os.Stat(path)
	if err != nil {
		return Object{}, err
	}
	if st.IsDir() {
		return Object{}, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	}
	return objectOf(path, st), nil
}

func objectOf(name string, st fs.FileInfo) Object {
	return Object{Name: name, Size: st.Size(), Tag: strconv.FormatInt(st.ModTime().UnixNano(), 36), Changed: st.ModTime()}
}

// Open opens a part of an object.
func (f Folder) Open(_ context.Context, name string, from, n int64) (io.ReadCloser, error) {
	file, err := os.Open(f.Path(name))
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if n < 0 {
		return file, nil
	}
	return &part{io.LimitedReader{R: file, N: n}, file}, nil
}

// part is a part of a file.
type part struct {
	in io.LimitedReader
	io.Closer
}

// Read implements [io.Reader]. The end of the file within the part is an error.
func (p *part) Read(b []byte) (int, error) {
	n, err := p.in.Read(b)
	if err == io.EOF && p.in.N > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// List ranges over the objects whose names begin with prefix.
func (f Folder) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		f.walk(ctx, "", prefix, yield)
	}
}

// walk lists the objects in a folder of the store. It reports whether to continue.
func (f Folder) walk(ctx context.Context, dir, prefix string, yield func(Object, error) bool) bool {
	entries, err := os.ReadDir(f.Path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err = errors.Join(err, ctx.Err()); err != nil {
		yield(Object{}, err)
		return false
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if within := name + "/"; strings.HasPrefix(within, prefix) || strings.HasPrefix(prefix, within) {
				if !f.walk(ctx, name, prefix, yield) {
					return false
				}
			}
		case strings.HasPrefix(name, prefix):
			st, err := os.Stat(f.Path(name))
			if errors.Is(err, fs.ErrNotExist) { // removed in the meantime
				continue
			}
			if err != nil {
				yield(Object{}, err)
				return false
			}
			if !yield(objectOf(name, st), nil) {
				return false
			}
		}
	}
	return true
}

// Put creates an object from a file. On the same disk it creates a hard link, so the file
// must not be modified later. Otherwise it copies the file.
func (f Folder) Put(_ context.Context, name, file string, replace bool) error {
	to := f.Path(name)
	dir := filepath.Dir(to)
	if err := disk.MkdirAll(dir); err != nil {
		return err
	}
	defer sweep(dir)
	temp, err := disk.MkdirTemp(dir, putPrefix)
	if err != nil {
		return err
	}
	made := filepath.Join(temp, "object")
	err = bring(file, made)
	switch {
	case err != nil:
	case replace:
		err = disk.Rename(made, to)
	default:
		err = place(made, to)
	}
	return errors.Join(err, disk.RemoveAll(temp), disk.SyncDir(dir))
}

// putPrefix begins the names of the temporary folders of [Folder.Put].
const putPrefix = ".put-"

// abandoned is the age at which the temporary folder of a killed process is removed.
const abandoned = 24 * time.Hour

// swept holds the folders whose abandoned temporary folders this process has removed.
var swept sync.Map

// sweep removes the abandoned temporary folders in a folder to which an object was just added.
// All times are of the file system, so clocks of other machines do not matter.
func sweep(dir string) {
	if _, done := swept.LoadOrStore(dir, true); done {
		return
	}
	now, err := os.Stat(dir)
	entries, e := os.ReadDir(dir)
	if err != nil || e != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), putPrefix) {
			continue
		}
		if st, err := e.Info(); err == nil && now.ModTime().Sub(st.ModTime()) > abandoned {
			disk.RemoveAll(filepath.Join(dir, e.Name())) // if it fails, only space is lost
		}
	}
}

// bring creates a file on the disk of the store and syncs it.
func bring(from, to string) error {
	if disk.Link(from, to) == nil {
		if f, err := disk.OpenFile(to, os.O_RDWR, 0); err == nil {
			return errors.Join(f.Sync(), f.Close())
		}
		if err := disk.Remove(to); err != nil {
			return err
		}
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	return files.Replace(to, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
}

// place gives a file that was just written its name unless that name exists.
func place(from, to string) error {
	err := disk.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// On a file system without links, place reserves the name and then renames the file. A
	// process killed in between leaves an empty object, which is replaced after some time.
	mine, err := disk.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		now, e := os.Stat(from) // the time of the file system, not of this machine
		if st, e2 := os.Stat(to); e == nil && e2 == nil && st.Size() == 0 && now.ModTime().Sub(st.ModTime()) > Reserved {
			return disk.Rename(from, to)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return errors.Join(mine.Close(), disk.Rename(from, to))
}

// Reserved is the time for which an empty file reserves the name of an object in a [Folder] without hard
// links.
const Reserved = time.Minute

// Remove removes an object.
func (f Folder) Remove(_ context.Context, name string) error {
	if err := disk.Remove(f.Path(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
