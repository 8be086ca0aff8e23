package files

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"chaffinch/internal/disk"
)

// Output is a file that is replaced atomically. Until [Output.Commit] it is written under another
// name in the same folder, and an existing file remains unchanged.
type Output struct {
	file   *disk.File
	name   string // final name; "" if it is written in place
	how    Options
	closed bool
}

// Options configures an [Output]. The zero value is safe.
type Options struct {
	// Unsynced leaves syncing to the caller. Default: Commit syncs.
	Unsynced bool
	// ReplaceLink replaces a symbolic link with the given name. Default: the target of the link is
	// replaced.
	ReplaceLink bool
	// part keeps the unfinished file if it is not committed.
	part bool
}

// errBusy is returned for an output that another program is writing.
var errBusy = errors.New("another run is writing this file: wait for its end, or name another file")

// Create starts an output file. Pipes and devices are written in place.
func Create(name string) (*Output, error) { return createWith(name, Options{}) }

func createWith(name string, how Options) (*Output, error) {
	return open(name, how, Unfinished, 0)
}

// open starts an output and appends after its first length bytes. Until it is committed it has the
// name that beside returns, unless it is written in place.
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
		return nil, o.renameError(err)
	}
	if perm != 0 {
		if err := f.Chmod(perm); err != nil {
			o.Discard()
			return nil, o.renameError(err)
		}
	}
	return o, nil
}

// inPlace opens an output that is not a regular file, or that other processes have open.
func inPlace(name string, how Options) (*Output, error) {
	f, err := disk.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	return &Output{file: f, how: how}, nil
}

// target returns the target of a symbolic link, or name for anything else.
func target(name string) string {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		return to
	}
	return name
}

// renameError replaces the name of the unfinished file in an error with the name of the output.
func (o *Output) renameError(err error) error {
	if pe, ok := err.(*fs.PathError); ok && o.name != "" {
		return &fs.PathError{Op: pe.Op, Path: o.name, Err: pe.Err}
	}
	return err
}

// maxName is the maximum length in bytes of a file name on all common file systems.
const maxName = 255

// UnfinishedPrefix is the prefix of the names of unfinished files.
const UnfinishedPrefix = ".unfinished."

// Unfinished returns the name of an output file until it is complete. It depends only on name, so
// that the next run reuses the file of a killed one.
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

// OpenAt opens a file for this process alone, creates it if it does not exist, truncates it to
// length and positions it there.
func OpenAt(name string, length int64) (*disk.File, error) {
	for {
		f, err := disk.OpenLocked(name)
		if errors.Is(err, disk.ErrLocked) {
			err = fmt.Errorf("%s: %w", name, errBusy)
		}
		if err != nil {
			return nil, err
		}
		// Another run may have finished the file between opening and locking.
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

// cut truncates a file of the given size to length and moves to its end.
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

// Path returns the path of the file before Commit, to read and check it.
func (o *Output) Path() string { return o.file.Name() }

// Write appends b.
func (o *Output) Write(b []byte) (int, error) {
	n, err := o.file.Write(b)
	return n, o.renameError(err)
}

// WriteAt writes b at the offset at.
func (o *Output) WriteAt(b []byte, at int64) (int, error) {
	n, err := o.file.WriteAt(b, at)
	return n, o.renameError(err)
}

// Commit renames the file to its final name. If it fails, an existing file remains unchanged and
// only a part remains of the output.
func (o *Output) Commit() error {
	if o.closed {
		return fs.ErrClosed
	}
	defer o.Discard()
	if !o.how.Unsynced {
		if err := o.file.Sync(); err != nil {
			return o.renameError(err)
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

// Sync writes the file to stable storage.
func (o *Output) Sync() error { return o.renameError(o.file.Sync()) }

// Discard abandons the file unless it was committed. A part remains, so that another run can resume
// it.
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

// WriteFile replaces a file atomically.
func WriteFile(name string, b []byte) error { return WriteFileWith(name, b, Options{}) }

// WriteJSON replaces a file atomically with v as indented JSON.
func WriteJSON(name string, v any, indent string) error {
	b, err := json.MarshalIndent(v, "", indent)
	if err != nil {
		return err
	}
	return WriteFile(name, append(b, '\n'))
}

// WriteFileWith is [WriteFile] with options.
func WriteFileWith(name string, b []byte, how Options) error {
	return ReplaceWith(name, how, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// Replace replaces a file atomically with the output of fn. If fn fails, an existing file remains
// unchanged.
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
