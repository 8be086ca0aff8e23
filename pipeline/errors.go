package pipeline

import (
	"errors"
)

// located is an error of a source that knows the input file that it concerns.
type located interface{ InputFile() string }

// isEmpty tells that err only tells of an empty input file.
func isEmpty(err error) bool {
	var in interface{ EmptyFile() bool }
	return errors.As(err, &in) && in.EmptyFile()
}

// fileOf returns the input file that err tells of, "?" if it tells of none.
func fileOf(err error) string {
	var in located
	if errors.As(err, &in) {
		return in.InputFile()
	}
	var pe *PageError
	if errors.As(err, &pe) && pe.Source.File != "" {
		return pe.Source.File
	}
	return "?"
}
