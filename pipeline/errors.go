package pipeline

import (
	"errors"
	"strings"

	"chaffinch/input"
)

// fileOf returns the input file that err tells of, "?" if it tells of none.
func fileOf(err error) string {
	var in *input.Error
	if errors.As(err, &in) {
		return in.File
	}
	var pe *PageError
	if errors.As(err, &pe) && pe.Source.File != "" {
		return pe.Source.File
	}
	return "?"
}

// oneLine folds a message into one line for the list of errors.
func oneLine(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(s), "\r", ""), "\n", " | ")
}
