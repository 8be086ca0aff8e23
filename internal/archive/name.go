package archive

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// endings lists the file name endings of archives in the order in which [Find] tries them.
var endings = []string{".tar.zst", ".tar.gz", ".tgz", ".tar", ".zip"}

// Endings returns the endings as a comma-separated list for messages.
func Endings() string { return strings.Join(endings, ", ") }

// Stem returns name without the ending of an archive.
func Stem(name string) string {
	for _, e := range endings {
		if s, ok := strings.CutSuffix(name, e); ok {
			return s
		}
	}
	return name
}

// Find returns path if the file or folder exists, otherwise the first existing archive whose name
// is path with an ending.
func Find(path string) (string, error) {
	for _, e := range append([]string{""}, endings...) {
		if _, err := os.Stat(path + e); err == nil {
			return path + e, nil
		}
	}
	return "", fmt.Errorf("%s: %w, nor with %s", path, fs.ErrNotExist, Endings())
}
