package justext

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
// tar archive, or one text file, and writes all their bytes to sum.
//
// The language is lang, or if that is "", what the path says: the folder or
// the file name that follows a folder "txt", such as "de" in
// "guide/txt/de/intro.txt", else the file name, without endings. The source
// is what stands before it. files and skipped count the texts that were taken,
// and those whose name is no language or one written without spaces.
func (t *Trainer) Read(name, lang string, sum hash.Hash) (files, skipped int, err error) {
	add := func(p string, r io.Reader) error {
		if path.Ext(p) != ".txt" {
			return nil
		}
		source, tag := placed(p)
		if lang != "" {
			tag = lang
		}
		taken, err := t.Add(source, tag, io.TeeReader(r, sum))
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
		err = one(name, add)
	} else {
		err = archive.Walk(name, add)
	}
	if err == nil && files == 0 {
		err = fmt.Errorf("%s: no text file (*.txt) in a language with spaces between words: name files after their language, or state it", name)
	}
	return files, skipped, err
}

// placed cuts the path of a text into its source and the tag of its language.
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

// one calls fn for a single file.
func one(name string, fn func(string, io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return fn(filepath.ToSlash(name), f)
}
