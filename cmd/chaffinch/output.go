package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"chaffinch/build/recipe"
	"chaffinch/internal/disk"
	"chaffinch/internal/files"
)

// writeTo calls fn with a file that becomes name when fn is done, or with
// standard output if name is "" or "-". A file is packed if its name says so. If fn
// fails, a file of that name stays as it was.
func writeTo(name string, con *console, fn func(w io.Writer) error) error {
	if name == "" || name == "-" {
		return fn(con.out)
	}
	return files.ReplacePacked(name, fn)
}

// writeRaw is like writeTo, but never compresses.
func writeRaw(name string, con *console, fn func(w io.Writer) error) error {
	if name == "" || name == "-" {
		return fn(con.out)
	}
	return files.Replace(name, fn)
}

// writeFile writes a file atomically, and creates its folders.
func writeFile(path string, write func(io.Writer) error) error {
	if err := disk.MkdirAll(filepath.Dir(path)); err != nil {
		return err
	}
	return files.ReplacePacked(path, func(w io.Writer) error {
		if err := write(w); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
}

// writable is an error if a file cannot be written: to be told before the work.
func writable(name string) error {
	f, err := files.Create(name)
	f.Discard()
	return err
}

// outputFormat returns the named format, else the format of the suffix of out.
func outputFormat(out, named string) (string, error) {
	if named != "" || out == "" || out == "-" || isFolder(out) {
		return named, nil
	}
	format, err := recipe.FormatOfName(out)
	if err != nil {
		return "", errUsage{fmt.Errorf("%w with --format", err)}
	}
	return format, nil
}

// isFolder reports whether out is or names a folder.
func isFolder(out string) bool {
	st, err := os.Stat(out)
	return strings.HasSuffix(out, string(filepath.Separator)) || err == nil && st.IsDir()
}
