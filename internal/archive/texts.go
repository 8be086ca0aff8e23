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

// Texts calls fn for the text files (*.txt) of a folder or an archive, or for
// name if that is one text file, with what the path says of each.
//
// The tag is the folder or the file name that follows a folder "txt", such as
// "de" in "guide/txt/de/intro.txt", else the file name, without endings. The
// source is what stands before it. An error of fn is given the place.
func Texts(name string, fn func(source, tag string, r io.Reader) error) error {
	each := func(p string, r io.Reader) error {
		if path.Ext(p) != ".txt" {
			return nil
		}
		source, tag := placed(p)
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

// placed cuts the path of a text into its source and its tag.
func placed(p string) (source, tag string) {
	dir, file := path.Split(strings.TrimSuffix(p, path.Ext(p)))
	source, tag = strings.Trim(dir, "/"), file
	if before, after, ok := strings.Cut("/"+p, "/txt/"); ok {
		source = strings.Trim(before, "/")
		tag, _, _ = strings.Cut(after, "/")
	}
	tag, _, _ = strings.Cut(tag, ".")
	return source, tag
}

// Samples gives add the text files that [Texts] finds, with lang in place of the
// tag if it is not "", and counts those that add took and those that it did not.
// The bytes that add reads are written to sum too.
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
