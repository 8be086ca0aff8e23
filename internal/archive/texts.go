package archive

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Texts calls fn for each text file (*.txt) of a folder or an archive, or for name if it is a
// single text file. source and tag are derived from the path.
//
// The tag is the folder or the file name that follows a folder "txt", such as "de" in
// "guide/txt/de/intro.txt". Without such a folder it is the file name. Endings are removed. The
// source is the path before it. Errors of fn are wrapped with the path.
func Texts(name string, fn func(source, tag string, r io.Reader) error) error {
	each := func(p string, r io.Reader) error {
		if path.Ext(p) != ".txt" {
			return nil
		}
		source, tag := sourceAndTag(p)
		if err := fn(source, tag, r); err != nil {
			return fmt.Errorf("%s: %s: %w", name, p, err)
		}
		return nil
	}
	if path.Ext(name) != ".txt" {
		return Walk(name, each)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return each(filepath.ToSlash(name), f)
}

// sourceAndTag splits the path of a text into its source and its tag.
func sourceAndTag(p string) (source, tag string) {
	dir, file := path.Split(strings.TrimSuffix(p, path.Ext(p)))
	source, tag = strings.Trim(dir, "/"), file
	if before, after, ok := strings.Cut("/"+p, "/txt/"); ok {
		source = strings.Trim(before, "/")
		tag, _, _ = strings.Cut(after, "/")
	}
	tag, _, _ = strings.Cut(tag, ".")
	return source, tag
}

// Samples calls add for each text file that [Texts] finds. lang replaces the tag unless it is "".
// Samples returns how many files add took and how many it did not. The bytes that add reads are
// also written to sum.
func Samples(name, lang string, sum io.Writer, add func(source, lang string, r io.Reader) (taken bool, err error)) (files, skipped int, err error) {
	err = Texts(name, func(source, tag string, r io.Reader) error {
		taken, err := add(source, cmp.Or(lang, tag), io.TeeReader(r, sum))
		switch {
		case err != nil:
			return err
		case taken:
			files++
		default:
			skipped++
		}
		return nil
	})
	return files, skipped, err
}
