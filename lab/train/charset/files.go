package charset

import (
	"hash"
	"io"

	"chaffinch/internal/archive"
)

// Read counts the text files (*.txt) of a folder, a tar archive, compressed or not, or one text
// file, and writes the bytes of the counted files to sum.
//
// The language is lang or, if lang is "", derived from the path: the folder or the file name that
// follows a folder "txt", such as "de" in "guide/txt/de/intro.txt", otherwise the file name,
// without suffixes. files is the number of counted files, skipped the number of files in other
// languages.
func (t *Trainer) Read(name, lang string, sum hash.Hash) (files, skipped int, err error) {
	return archive.Samples(name, lang, sum, func(_, lang string, r io.Reader) (bool, error) { return t.Add(lang, r) })
}
