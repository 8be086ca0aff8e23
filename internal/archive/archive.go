// Package archive reads the files of archives: tar (compressed or not) and zip. [Walk] reads the
// files of a folder or an archive alike; [Open] reads an archive from a stream.
package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"chaffinch/internal/files"
	"chaffinch/internal/packed"
)

// ErrStop ends a walk early without an error.
var ErrStop = errors.New("stop")

// Walk calls fn for each regular file below name, which is a folder or an archive. Folders are read
// in lexical order, archives in their own order. Paths are slash-separated and relative to the
// folder or the root of the archive, without a leading "./". The reader is valid during the call.
// A folder's [files.PageList] is omitted. Walk stops at the first error and returns it, or nil if it is [ErrStop].
func Walk(name string, fn func(path string, r io.Reader) error) error {
	st, err := os.Stat(name)
	if err != nil {
		return err
	}
	if st.IsDir() {
		err = walkFolder(name, fn)
	} else {
		err = walkArchive(name, fn)
	}
	if errors.Is(err, ErrStop) {
		return nil
	}
	return err
}

func walkFolder(dir string, fn func(string, io.Reader) error) error {
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || d.Name() == files.PageList {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		f, err := os.Open(p)
		if err != nil {
			return err
		}
		defer f.Close()
		return fn(filepath.ToSlash(rel), f)
	})
}

func walkArchive(name string, fn func(string, io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := packed.NewReader(f, datasetLimits)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer in.Close()
	members, err := Open(in, f, datasetLimits)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for {
		m, err := members.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := fn(m.Name, m); err != nil {
			return err
		}
	}
}

// datasetLimits allows the compression ratios that data sets have.
var datasetLimits = packed.Config{MaxRatio: 10_000, GraceBytes: 1 << 30}
