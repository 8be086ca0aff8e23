package pipeline

import (
	"errors"
	"strings"
)

// filer is an error that knows its input file.
type filer interface{ InputFile() string }

// InputFile returns the file of the page.
func (e *PageError) InputFile() string { return e.Source.File }

// fileOf returns the input file that err tells of, "?" if it tells of none.
func fileOf(err error) string {
	var f filer
	if errors.As(err, &f) {
		return f.InputFile()
	}
	return "?"
}

// oneLine folds a message into one line for the list of errors.
func oneLine(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(s), "\r", ""), "\n", " | ")
}
