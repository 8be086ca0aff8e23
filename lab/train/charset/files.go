package charset

import (
	"hash"
	"io"

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
	return archive.Samples(name, lang, sum, func(_, lang string, r io.Reader) (bool, error) { return t.Add(lang, r) })
}
