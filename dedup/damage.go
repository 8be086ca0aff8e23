package dedup

import (
	"errors"
	"fmt"
	"path/filepath"

	"chaffinch/internal/extsort"
)

// ErrStartOver ends the errors of work folders that cannot be gone on with.
var ErrStartOver = errors.New("start over")

// errMakeAgain ends those of broken indexes.
var errMakeAgain = errors.New("bring it back from a copy, or make the index again")

// damage is the error of a file that is not what was written.
type damage struct {
	file string
	err  error
}

func (d *damage) Error() string {
	return fmt.Sprintf("%s: %v, the file is damaged: %v", d.file, d.err, ErrStartOver)
}

func (d *damage) Unwrap() []error { return []error{d.err, ErrStartOver} }

// blame makes of the error of a damaged file one with its true name and the way
// out: files of the index are links in a work folder. index is its folder, or
// "".
func blame(err error, index string) error {
	d := new(damage)
	if w := new(extsort.Damage); errors.As(err, &w) {
		d.file, d.err = w.Path, w.Err
	} else if !errors.As(err, &d) {
		return err
	}
	if index == "" {
		return d
	}
	name, e := filepath.EvalSymlinks(d.file)
	if e != nil {
		name = d.file // it is gone
	}
	if dir, e := filepath.EvalSymlinks(index); e == nil && filepath.Dir(absolute(name)) == absolute(dir) {
		return fmt.Errorf("index %s: %s: %w, the file is damaged: %w", index, filepath.Base(name), d.err, errMakeAgain)
	}
	return d
}

func absolute(name string) string {
	if a, err := filepath.Abs(name); err == nil {
		return a
	}
	return name
}
