package charset

import (
	"fmt"
	"hash"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"chaffinch/internal/archive"
)

// Read counts the text files (*.txt) of a folder, a tar archive or a packed
// tar archive, or one text file, and writes the bytes of those that it takes
// to sum.
//
// The language is lang, or if that is "", what the path says: the folder or
// the file name that follows a folder "txt", such as "de" in
// "guide/txt/de/intro.txt", else the file name, without endings. files and
// skipped count the texts that were taken, and those in other languages.
func (t *Trainer) Read(name, lang string, sum hash.Hash) (files, skipped int, err error) {
	add := func(p string, r io.Reader) error {
		if path.Ext(p) != ".txt" {
			return nil
		}
		tag := lang
		if tag == "" {
			tag = tagOf(p)
		}
		taken, err := t.Add(tag, io.TeeReader(r, sum))
		switch {
		case err != nil:
			return fmt.Errorf("%s: %s: %w", name, p, err)
		case taken:
			files++
		default:
			skipped++
		}
		return nil
	}
	if path.Ext(name) == ".txt" {
		f, err := os.Open(name)
		if err != nil {
			return 0, 0, err
		}
		defer f.Close()
		err = add(filepath.ToSlash(name), f)
		return files, skipped, err
	}
	return files, skipped, archive.Walk(name, add)
}

// tagOf returns the part of the path of a text that names its language.
func tagOf(p string) string {
	tag := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if _, after, ok := strings.Cut("/"+p, "/txt/"); ok {
		tag, _, _ = strings.Cut(after, "/")
	}
	tag, _, _ = strings.Cut(tag, ".")
	return tag
}
