package store

import (
	"context"
	"io"
	"iter"
	"strings"
)

// Under returns the part of a store with the objects whose names begin with prefix. A
// missing slash is added to the prefix. Names in the part omit the prefix.
func Under(s Store, prefix string) Store {
	if prefix != "" && !strings.HasSuffix(prefix, "/") {
		prefix += "/"
	}
	return under{s, prefix}
}

type under struct {
	s      Store
	prefix string
}

// String returns a name of the part for messages.
func (u under) String() string { return u.s.String() + "/" + u.prefix }

// Stat returns the properties of an object.
func (u under) Stat(ctx context.Context, name string) (Object, error) {
	o, err := u.s.Stat(ctx, u.prefix+name)
	o.Name = name
	return o, err
}

// Open opens a part of an object.
func (u under) Open(ctx context.Context, name string, from, n int64) (io.ReadCloser, error) {
	return u.s.Open(ctx, u.prefix+name, from, n)
}

// List ranges over objects.
func (u under) List(ctx context.Context, prefix string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		for o, err := range u.s.List(ctx, u.prefix+prefix) {
			o.Name = strings.TrimPrefix(o.Name, u.prefix)
			if !yield(o, err) {
				return
			}
		}
	}
}

// Put creates an object from a file.
func (u under) Put(ctx context.Context, name, file string, replace bool) error {
	return u.s.Put(ctx, u.prefix+name, file, replace)
}

// Remove removes an object.
func (u under) Remove(ctx context.Context, name string) error {
	return u.s.Remove(ctx, u.prefix+name)
}
