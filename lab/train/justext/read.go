package justext

import (
	"fmt"
	"hash"
	"io"

	"chaffinch/format/sniff"
	"chaffinch/internal/archive"
)

// Read counts the text files (*.txt) of a folder, a tar archive, compressed or not, or one text
// file, and writes all their bytes to sum.
//
// The language is lang or, if lang is "", derived from the path: the folder or the file name that
// follows a folder "txt", such as "de" in "guide/txt/de/intro.txt", otherwise the file name,
// without suffixes. The source is the path before it. files is the number of counted files. skipped
// is the number of files whose name is not a language, or a language without spaces.
func (t *Trainer) Read(name, lang string, sum hash.Hash) (files, skipped int, err error) {
	files, skipped, err = archive.Samples(name, lang, sum, func(source, lang string, r io.Reader) (bool, error) {
		in, err := sniff.Running(r)
		if err != nil {
			return false, fmt.Errorf("%s: text in %s of %q: %w", name, lang, source, err)
		}
		return t.Add(source, lang, in)
	})
	if err == nil && files == 0 {
		err = fmt.Errorf("%s: no text file (*.txt) in a language with spaces between words: name files after their language, or state it", name)
	}
	return files, skipped, err
}
