package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"chaffinch/internal/disk"
)

// Output is a file that is written as a whole: until [Output.Commit] it lies
// under another name beside the one that it will have, and what was there
// before stays as it was.
type Output struct {
	file   *disk.File
	name   string // that it will have; "" if it is written in place
	how    Options
	closed bool
}

// Options say how an [Output] is written. The zero value is safe.
type Options struct {
	// Unsynced leaves it to the caller to bring the file to stable storage.
	Unsynced bool
	// ReplaceLink puts the file in the place of a symbolic link of that name,
	// else it is written where the link leads.
	ReplaceLink bool
	// part stays where it is if it is not committed.
	part bool
}

// errBusy is the error of an output that another program is writing.
var errBusy = errors.New("another run is writing this file: wait for its end, or name another file")

// Create starts an output file. Pipes and devices are written in place.
func Create(name string) (*Output, error) { return createWith(name, Options{}) }

// createWith starts an output file with options.
func createWith(name string, how Options) (*Output, error) {
	return open(name, how, Unfinished, 0)
}

// open starts an output, to be written on behind what it has up to length. Until
// it is committed it has the name that beside tells, unless it is written in place.
func open(name string, how Options, beside func(name string) string, length int64) (*Output, error) {
	if !how.ReplaceLink {
		if Special(name) {
			return inPlace(name, how)
		}
		name = target(name)
	}
	perm := fs.FileMode(0)
	switch st, err := os.Lstat(name); {
	case err != nil:
	case st.IsDir():
		return nil, &fs.PathError{Op: "create", Path: name, Err: errors.New("is a folder, wanted the name of a file")}
	case st.Mode().IsRegular():
		perm = st.Mode().Perm()
	case st.Mode()&fs.ModeSymlink == 0:
		return inPlace(name, how)
	}
	f, err := OpenAt(beside(name), length)
	o := &Output{file: f, name: name, how: how}
	if err != nil {
		return nil, o.blame(err)
	}
	if perm != 0 {
		if err := f.Chmod(perm); err != nil {
			o.Discard()
			return nil, o.blame(err)
		}
	}
	return o, nil
}

// inPlace opens what keeps nothing, or is open elsewhere too.
func inPlace(name string, how Options) (*Output, error) {
	f, err := disk.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	return &Output{file: f, how: how}, nil
}

// target returns where a symbolic link leads, name itself for anything else.
func target(name string) string {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		return to
	}
	return name
}

// blame puts the name of the output in the place of that of the unfinished file.
func (o *Output) blame(err error) error {
	if pe, ok := err.(*fs.PathError); ok && o.name != "" {
		return &fs.PathError{Op: pe.Op, Path: o.name, Err: pe.Err}
	}
	return err
}

// maxName is the longest name of a file that all common file systems take.
const maxName = 255

// UnfinishedPrefix begins the names of unfinished files.
const UnfinishedPrefix = ".unfinished."

// Unfinished returns the name that an output file has until it is whole. It is
// always the same, so that the next run takes over what a killed one has left.
func Unfinished(name string) string {
	dir, base := filepath.Split(name)
	if len(UnfinishedPrefix)+len(base) > maxName {
		sum := sha256.Sum256([]byte(base))
		ext := filepath.Ext(base)
		if len(ext) > 32 {
			ext = ""
		}
		base = hex.EncodeToString(sum[:]) + ext
	}
	return filepath.Join(dir, UnfinishedPrefix+base)
}

// OpenAt opens a file for this process alone, made if it is not there, cut to
// length and written on from there.
func OpenAt(name string, length int64) (*disk.File, error) {
	for {
		f, err := disk.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		if err := disk.Lock(f.File); errors.Is(err, disk.ErrLocked) {
			f.Close()
			return nil, fmt.Errorf("%s: %w", name, errBusy)
		}
		// Between opening and locking another run may have finished the file.
		is, err := f.Stat()
		if at, e := os.Stat(name); err == nil && e == nil && os.SameFile(is, at) {
			if err = cut(f, is.Size(), length); err == nil {
				return f, nil
			}
		}
		f.Close()
		if err != nil {
			return nil, err
		}
	}
}

// cut cuts a file of that size to length and goes to its end.
func cut(f *disk.File, size, length int64) error {
	if size < length {
		return fmt.Errorf("%s: %d bytes, but the checkpoint counts %d: the file was changed: start over with --force", f.Name(), size, length)
	}
	if size > length {
		if err := f.Truncate(length); err != nil {
			return err
		}
	}
	_, err := f.Seek(length, io.SeekStart)
	return err
}

// Path is where the file lies before Commit, to be read and checked.
func (o *Output) Path() string { return o.file.Name() }

// Write appends b.
func (o *Output) Write(b []byte) (int, error) {
	n, err := o.file.Write(b)
	return n, o.blame(err)
}

// WriteAt writes b at a place.
func (o *Output) WriteAt(b []byte, at int64) (int, error) {
	n, err := o.file.WriteAt(b, at)
	return n, o.blame(err)
}

// Commit gives the file its name. If it fails, what was there before stays and
// nothing but a part is left behind.
func (o *Output) Commit() error {
	if o.closed {
		return fs.ErrClosed
	}
	defer o.Discard()
	if !o.how.Unsynced {
		if err := o.file.Sync(); err != nil {
			return o.blame(err)
		}
	}
	if o.name == "" {
		o.closed = true
		return o.file.Close()
	}
	if err := rename(o.file, o.name); err != nil {
		return err
	}
	o.closed = true
	err := o.file.Close()
	if !o.how.Unsynced {
		err = errors.Join(err, disk.SyncDir(filepath.Dir(o.name)))
	}
	return err
}

// Sync brings what was written to stable storage.
func (o *Output) Sync() error { return o.blame(o.file.Sync()) }

// Discard gives up, unless the file was committed. A part stays, to be gone on
// with.
func (o *Output) Discard() {
	if o == nil || o.closed {
		return
	}
	o.closed = true
	if o.how.part {
		o.file.Close()
		return
	}
	if o.name != "" && removable {
		disk.Remove(o.file.Name()) // while it is locked
	}
	o.file.Close()
	if o.name != "" && !removable {
		disk.Remove(o.file.Name())
	}
}

// WriteFile writes a file as a whole.
func WriteFile(name string, b []byte) error { return WriteFileWith(name, b, Options{}) }

// WriteFileWith writes a file as a whole with options.
func WriteFileWith(name string, b []byte, how Options) error {
	return ReplaceWith(name, how, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// Replace writes a file as a whole by fn; if fn fails, what was there before
// stays.
func Replace(name string, fn func(w io.Writer) error) error { return ReplaceWith(name, Options{}, fn) }

// ReplaceWith is [Replace] with options.
func ReplaceWith(name string, how Options, fn func(w io.Writer) error) error {
	o, err := createWith(name, how)
	if err != nil {
		return err
	}
	defer o.Discard()
	if err := fn(o); err != nil {
		return err
	}
	return o.Commit()
}
