package justext

import (
	"fmt"
	"hash"

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
	files, skipped, err = archive.Samples(name, lang, sum, t.Add)
	if err == nil && files == 0 {
		err = fmt.Errorf("%s: no text file (*.txt) in a language with spaces between words: name files after their language, or state it", name)
	}
	return files, skipped, err
}
