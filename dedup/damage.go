package dedup

import (
	"errors"
	"fmt"
	"path/filepath"

	"chaffinch/internal/extsort"
)

// ErrStartOver is wrapped by errors of work folders that cannot be resumed.
var ErrStartOver = errors.New("start over")

// errMakeAgain is wrapped by errors of damaged indexes.
var errMakeAgain = errors.New("bring it back from a copy, or make the index again")

// damage is the error of a file whose content is not the content that was written.
type damage struct {
	file string
	err  error
}

func (d *damage) Error() string {
	return fmt.Sprintf("%s: %v, the file is damaged: %v", d.file, d.err, ErrStartOver)
}

func (d *damage) Unwrap() []error { return []error{d.err, ErrStartOver} }

// blame adds the true file name and the remedy to the error of a damaged file. Files
// of the index are links in the work folder. index is the folder of the index, or "".
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
		name = d.file // removed since
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
