package recipe

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"chaffinch/format/sniff"
	"chaffinch/input"
	"chaffinch/internal/files"
)

// apart returns an error for outputs that are inputs or equal to each other, and for outputs
// that a later run would read as input. It also returns an error if no input can be opened.
func (at *RunOptions) apart() error {
	if st, err := os.Stat(filepath.Clean(at.Out)); err == nil && at.isFolder() && !st.IsDir() {
		return fmt.Errorf("output %s: a file has that name, wanted a folder: choose another name", at.Out)
	}
	if err := at.readable(); err != nil {
		return err
	}
	var inputs []files.Place
	for _, in := range at.Inputs {
		inputs = append(inputs, files.Place{What: "the input", Path: in})
	}
	outputs := []files.Place{{What: "output", Path: at.Out}, {What: "list of errors", Path: at.ErrorList}}
	for _, name := range at.Aside {
		outputs = append(outputs, files.Place{What: "further output", Path: name})
	}
	for _, f := range at.Further {
		outputs = append(outputs, files.Place{What: "further output", Path: f.File})
	}
	if err := files.CheckDistinct(inputs, outputs); err != nil {
		return err
	}
	return files.CheckNotWithin(inputs, outputs)
}

// readable returns an error if no input can be opened: a mistyped name must not replace an
// output by an empty one. A run in which some inputs can be opened reports the others and
// continues.
func (at *RunOptions) readable() error {
	var first error
	for _, name := range at.Inputs {
		err := openable(name)
		if err == nil {
			return nil
		}
		first = cmp.Or(first, fmt.Errorf("%s: %w", name, files.Cause(err)))
	}
	return first
}

// convertible returns an error if all inputs are files of formats that a conversion does not read, for
// the same reason.
func (at *RunOptions) convertible(cfg input.Config) error {
	if !cfg.Kept {
		return nil
	}
	cfg.Parquet = ReadParquet
	var first error
	for _, name := range at.Inputs {
		st, err := os.Stat(name)
		if err != nil {
			continue // another input can be opened
		}
		if !st.Mode().IsRegular() {
			return nil
		}
		in, err := input.Open([]string{name}, cfg)
		if err == nil {
			_, err = in.Next()
			in.Close()
		}
		if !errors.As(err, new(*sniff.Error)) {
			return nil
		}
		first = cmp.Or(first, err)
	}
	return first
}

// openable returns an error if an input does not exist or must not be read. Pipes and devices
// are not opened, which could block.
func openable(name string) error {
	if name == "-" {
		return nil
	}
	st, err := os.Stat(name)
	if err != nil || !st.IsDir() && !st.Mode().IsRegular() {
		return err
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return f.Close()
}
