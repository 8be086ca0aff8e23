// Package disk changes file systems. This project creates, writes, renames and removes files only
// with [OpenFile], [Rename] and the other functions of this package. A test can make any of these
// operations fail, or end the program there, with [Watch]. Files are read with package os.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// ErrLocked is returned by [Lock] if another process has locked the file.
var ErrLocked = errors.New("locked by another program")

// ErrDead simulates a killed program in [Watch]: a test returns it from some change on. A write
// that fails with it writes nothing.
var ErrDead = errors.New("dead")

// Op is the kind of a change to a file system.
type Op string

// The kinds of changes.
const (
	OpCreate   Op = "create" // also of an existing file
	OpMkdir    Op = "mkdir"
	OpWrite    Op = "write"
	OpTruncate Op = "truncate"
	OpSync     Op = "sync"
	OpRename   Op = "rename"
	OpRemove   Op = "remove"
	OpLink     Op = "link"
)

// watcher is called before each change.
var watcher atomic.Pointer[func(op Op, path string) error]

// Watch calls see before each change, from any goroutine, until stop is called. If see returns an
// error, the change fails with it. A failed write has written the first half of its bytes, as on a
// full disk; other failed changes have no effect. Watch is for tests.
func Watch(see func(op Op, path string) error) (stop func()) {
	watcher.Store(&see)
	return func() { watcher.Store(nil) }
}

// lazy disables syncs.
var lazy atomic.Bool

// Lazy makes all later syncs return without waiting for the disk. It is for tests. The files of a
// killed program survive; only a power failure loses them.
func Lazy() { lazy.Store(true) }

// temporary holds the folders passed to [Temporary].
var temporary struct {
	sync.RWMutex
	dirs []string
}

// Temporary makes syncs within a folder return immediately, as [Lazy] does, until end is called. It
// is for files that are not read after a crash. A file that is renamed out of the folder must be
// synced there.
func Temporary(dir string) (end func()) {
	dir = filepath.Clean(dir)
	temporary.Lock()
	defer temporary.Unlock()
	temporary.dirs = append(temporary.dirs, dir)
	return func() {
		temporary.Lock()
		defer temporary.Unlock()
		if i := slices.Index(temporary.dirs, dir); i >= 0 {
			temporary.dirs = slices.Delete(temporary.dirs, i, i+1)
		}
	}
}

// skipsSync reports whether a sync of path returns immediately.
func skipsSync(path string) bool {
	if lazy.Load() {
		return true
	}
	temporary.RLock()
	defer temporary.RUnlock()
	return slices.ContainsFunc(temporary.dirs, func(dir string) bool {
		rest, in := strings.CutPrefix(filepath.Clean(path), dir)
		return in && (rest == "" || os.IsPathSeparator(rest[0]))
	})
}

func notify(op Op, path string) error {
	see := watcher.Load()
	if see == nil {
		return nil
	}
	if err := (*see)(op, path); err != nil {
		return &fs.PathError{Op: string(op), Path: path, Err: err}
	}
	return nil
}

// File is an open file that may be written.
type File struct {
	*os.File
	temp bool // removed by Close
}

// OpenFile is [os.OpenFile] for a file to be written.
func OpenFile(name string, flag int, perm fs.FileMode) (*File, error) {
	if flag&os.O_CREATE != 0 {
		if err := notify(OpCreate, name); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	return &File{File: f}, nil
}

// OpenLocked opens a file for reading and writing, creates it if it does not exist, and locks it until
// it is closed or the program ends. It returns [ErrLocked] if another process holds the lock.
func OpenLocked(name string) (*File, error) {
	f, err := OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := Lock(f.File); errors.Is(err, ErrLocked) { // some file systems have no locks
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Locked reports whether another open file holds the lock of a file of fsys. It takes the lock for
// a moment. The error is [errors.ErrUnsupported] if fsys is no folder or has no locks.
func Locked(fsys fs.FS, name string) (bool, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	file, ok := f.(*os.File)
	if !ok {
		return false, errors.ErrUnsupported
	}
	err = Lock(file)
	if errors.Is(err, ErrLocked) {
		return true, nil
	}
	return false, err
}

// CreateTemp is [os.CreateTemp].
func CreateTemp(dir, pattern string) (*File, error) {
	if err := notify(OpCreate, filepath.Join(dir, pattern)); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	return &File{File: f}, nil
}

// Scratch creates a file in the folder dir, or in the folder for temporary files if dir is "". It
// is removed when it is closed or the program ends for any reason.
func Scratch(dir string) (*File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	if err := notify(OpCreate, filepath.Join(dir, "temporary file")); err != nil {
		return nil, err
	}
	if f := openUnnamed(dir); f != nil {
		return &File{File: f}, nil
	}
	f, err := os.CreateTemp(dir, "chaffinch-*.tmp")
	if err != nil {
		return nil, err
	}
	// If an open file can be removed, it has no name from here on.
	return &File{File: f, temp: os.Remove(f.Name()) != nil}, nil
}

// Write writes b.
func (f *File) Write(b []byte) (int, error) {
	if err := notify(OpWrite, f.Name()); err != nil {
		if errors.Is(err, ErrDead) {
			return 0, err
		}
		n, _ := f.File.Write(b[:len(b)/2])
		return n, err
	}
	return f.File.Write(b)
}

// WriteString writes s.
func (f *File) WriteString(s string) (int, error) { return f.Write([]byte(s)) }

// WriteAt writes b at the offset at.
func (f *File) WriteAt(b []byte, at int64) (int, error) {
	if err := notify(OpWrite, f.Name()); err != nil {
		if errors.Is(err, ErrDead) {
			return 0, err
		}
		n, _ := f.File.WriteAt(b[:len(b)/2], at)
		return n, err
	}
	return f.File.WriteAt(b, at)
}

// ReadFrom writes the content of r.
func (f *File) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{f}, r)
}

// Truncate changes the size of the file.
func (f *File) Truncate(n int64) error {
	if err := notify(OpTruncate, f.Name()); err != nil {
		return err
	}
	return f.File.Truncate(n)
}

// Sync writes the file to stable storage. For devices and pipes it does nothing.
func (f *File) Sync() error {
	if err := notify(OpSync, f.Name()); err != nil {
		return err
	}
	if skipsSync(f.Name()) {
		return nil
	}
	return synced(f.File)
}

// syncFile is replaced by tests.
var syncFile = (*os.File).Sync

// synced syncs a file or a folder. It ignores the error of file systems that do not support it.
func synced(f *os.File) error {
	if err := syncFile(f); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// Close closes the file and removes a temporary one.
func (f *File) Close() error {
	err := f.File.Close()
	if f.temp {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// Create is [os.Create].
func Create(name string) (*File, error) {
	return OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// Rename is [os.Rename].
func Rename(from, to string) error {
	if err := notify(OpRename, to); err != nil {
		return err
	}
	return os.Rename(from, to)
}

// Remove is [os.Remove].
func Remove(name string) error {
	if err := notify(OpRemove, name); err != nil {
		return err
	}
	return os.Remove(name)
}

// RemoveAll is [os.RemoveAll].
func RemoveAll(name string) error {
	entries, err := os.ReadDir(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil && !errors.Is(err, syscall.ENOTDIR) {
		return err
	}
	for _, e := range entries {
		if path := filepath.Join(name, e.Name()); e.IsDir() {
			err = RemoveAll(path)
		} else {
			err = Remove(path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// MkdirAll is [os.MkdirAll].
func MkdirAll(dir string) error {
	if st, err := os.Stat(dir); err == nil && st.IsDir() {
		return nil
	}
	if err := notify(OpMkdir, dir); err != nil {
		return err
	}
	return os.MkdirAll(dir, 0o777)
}

// MkdirTemp creates a folder in dir with a unique name: prefix and a random string.
func MkdirTemp(dir, prefix string) (string, error) {
	for {
		path := filepath.Join(dir, prefix+strconv.FormatUint(rand.Uint64(), 36))
		if err := notify(OpMkdir, path); err != nil {
			return "", err
		}
		if err := os.Mkdir(path, 0o700); !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
}

// Link is [os.Link].
func Link(from, to string) error {
	if err := notify(OpLink, to); err != nil {
		return err
	}
	return os.Link(from, to)
}

// Symlink is [os.Symlink].
func Symlink(from, to string) error {
	if err := notify(OpLink, to); err != nil {
		return err
	}
	return os.Symlink(from, to)
}

// SyncDir writes the directory entries of a folder to stable storage. It ignores the error of file
// systems that do not support it.
func SyncDir(dir string) error {
	if err := notify(OpSync, dir); err != nil || skipsSync(dir) {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" { // whose folders cannot be synced
		err = synced(d)
	}
	return errors.Join(err, d.Close())
}
