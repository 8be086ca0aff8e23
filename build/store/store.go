// Package store holds the shared data of work on many machines: named objects that are
// published as a whole. [Folder] stores objects in a folder that all machines see, and
// [Under] returns a part of a store. Package build/store/remote implements S3 and the web.
//
// Unstable: this package may change in any release.
package store

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"chaffinch/internal/disk"
	"chaffinch/internal/files"
)

// Object holds the properties of an object.
type Object struct {
	// Name is its path in the store, separated by slashes.
	Name string
	// Size is its length in bytes.
	Size int64
	// Tag differs if the object has changed.
	Tag string
	// Changed is the time of the last write.
	Changed time.Time
}

// Store stores objects. Implementations are safe for concurrent use. Errors begin with the
// name of the object in the store of an address. Errors about missing objects wrap [fs.ErrNotExist].
type Store interface {
	// String returns a name of the store for messages.
	String() string
	// Stat returns the properties of an object.
	Stat(ctx context.Context, name string) (Object, error)
	// Open opens n bytes of an object, starting at offset from. If n is negative, it reads
	// to the end. Reading fails if the object changes or ends early.
	Open(ctx context.Context, name string, from, n int64) (io.ReadCloser, error)
	// List ranges over the objects whose names begin with prefix, in a deterministic order.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// Put creates an object from a file. The object is not visible until it is complete. If
	// the object exists, Put replaces it if replace is set; otherwise the error wraps
	// [fs.ErrExist].
	Put(ctx context.Context, name, file string, replace bool) error
	// Remove removes an object. Removing a missing object is not an error.
	Remove(ctx context.Context, name string) error
}

// Opener returns the store of an address and the name of the object in it.
type Opener func(address string) (s Store, name string, err error)

// IsAddress reports whether name is an address, such as s3://bucket/name, and not a file
// name.
func IsAddress(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && scheme != "" && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+.-") == ""
}

// PutFolder creates objects from the files in a folder, replacing existing objects. It skips
// files whose names begin with a dot.
func PutFolder(ctx context.Context, s Store, dir string) error {
	return filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), ".") {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		return s.Put(ctx, filepath.ToSlash(name), file, true)
	})
}

// Write creates an object from bytes. It keeps a temporary file in a folder.
func Write(ctx context.Context, s Store, dir, name string, b []byte, replace bool) error {
	temp, err := disk.MkdirTemp(dir, "put-")
	if err != nil {
		return err
	}
	defer disk.RemoveAll(temp)
	file := filepath.Join(temp, "object")
	if err := files.WriteFile(file, b); err != nil {
		return err
	}
	return s.Put(ctx, name, file, replace)
}

// Read reads a whole object of at most max bytes.
func Read(ctx context.Context, s Store, name string, max int64) ([]byte, error) {
	r, err := s.Open(ctx, name, 0, -1)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, max+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > max {
		return nil, fmt.Errorf("%s in %s: more than %d bytes, wanted at most so many", name, s, max)
	}
	return b, nil
}
