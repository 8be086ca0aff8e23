// Package store is where work that is done by many machines lies: named objects that
// appear whole or not at all, in a folder that all of them see, or behind a service.
// [Folder] is the folder; package build/store/remote has S3 and the web.
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
)

// Object is what is known of an object without reading it.
type Object struct {
	// Name is its path in the store, with slashes.
	Name string
	// Size is its length in bytes.
	Size int64
	// Tag is another one when the object is another one.
	Tag string
	// Changed is when it was written.
	Changed time.Time
}

// Store holds objects. It is safe for concurrent use. The errors of objects that are
// not there wrap [fs.ErrNotExist].
type Store interface {
	// String names the store for people.
	String() string
	// Stat tells what is known of an object.
	Stat(ctx context.Context, name string) (Object, error)
	// Open reads n bytes of an object from a place on, all that follow if n is
	// negative. Reading fails if the object changes or ends early meanwhile.
	Open(ctx context.Context, name string, from, n int64) (io.ReadCloser, error)
	// List ranges over the objects whose names begin with prefix, in an order that is
	// always the same.
	List(ctx context.Context, prefix string) iter.Seq2[Object, error]
	// Put makes an object of a file. Nothing of it is to be seen until it is whole.
	// Where there is one of that name already, it is replaced if replace is set, and
	// the error wraps [fs.ErrExist] else.
	Put(ctx context.Context, name, file string, replace bool) error
	// Remove removes an object. It is no error if there is none.
	Remove(ctx context.Context, name string) error
}

// Opener finds the store of an address, and what the object is called in it.
type Opener func(address string) (s Store, name string, err error)

// IsAddress tells an address such as s3://bucket/name from the name of a file.
func IsAddress(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && scheme != "" && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789+.-") == ""
}

// PutFolder makes objects of the files in a folder, in place of those of the same names
// that are there. Files whose names begin with a dot stay where they are.
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

// Read reads a whole object of at most max bytes.
func Read(ctx context.Context, s Store, name string, max int64) ([]byte, error) {
	r, err := s.Open(ctx, name, 0, -1)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, max+1))
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", name, s, err)
	}
	if int64(len(b)) > max {
		return nil, fmt.Errorf("%s in %s: more than %d bytes, wanted at most so many", name, s, max)
	}
	return b, nil
}
