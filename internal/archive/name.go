package archive

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// endings are those of the names of archives, in the order in which [Find] looks
// for them.
var endings = []string{".tar.zst", ".tar.gz", ".tgz", ".tar", ".zip"}

// Endings lists them for messages.
func Endings() string { return strings.Join(endings, ", ") }

// Stem returns the name of a file or folder without the ending of an archive.
func Stem(name string) string {
	for _, e := range endings {
		if s, ok := strings.CutSuffix(name, e); ok {
			return s
		}
	}
	return name
}

// Find returns the path itself if there is such a file or folder, else that of an
// archive: the path with an ending.
func Find(path string) (string, error) {
	for _, e := range append([]string{""}, endings...) {
		if _, err := os.Stat(path + e); err == nil {
			return path + e, nil
		}
	}
	return "", fmt.Errorf("%s: %w, nor with %s", path, fs.ErrNotExist, Endings())
}
