// Package archive walks the files of a folder, a tar, or a tar packed with
// zstd or gzip, as if they were the same thing.
package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// ErrStop ends a walk early without an error.
var ErrStop = errors.New("stop")

// Walk calls fn for each regular file below name, which is a folder or an
// archive: folders in lexical order, archives in their own. Paths are slash
// separated, relative to the folder or as the archive has them (a leading
// "./" is cut). The reader is valid during the call. Walk stops at the first
// error; ErrStop ends it quietly.
func Walk(name string, fn func(path string, r io.Reader) error) error {
	st, err := os.Stat(name)
	if err != nil {
		return err
	}
	if st.IsDir() {
		err = walkFolder(name, fn)
	} else {
		err = walkTar(name, fn)
	}
	if errors.Is(err, ErrStop) {
		return nil
	}
	return err
}

func walkFolder(dir string, fn func(string, io.Reader) error) error {
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
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

func walkTar(name string, fn func(string, io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<20)
	var r io.Reader = in
	head, _ := in.Peek(4)
	switch {
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer z.Close()
		r = z
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		defer z.Close()
		r = z
	}
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: not a readable tar archive: %w", name, err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if err := fn(strings.TrimPrefix(path.Clean(h.Name), "./"), t); err != nil {
			return err
		}
	}
}
