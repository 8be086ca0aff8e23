package page

import (
	"errors"
	"strconv"
	"strings"
)

// Error is an error at one place of the input. Readers and stages return it, or report it to
// OnError, OnRepair or OnProblem and continue.
type Error struct {
	// File is the file as named by the user, "" if unknown.
	File string
	// Line is the line number, from 1; 0 if unknown. Record is the id or the address of a
	// record; "" if unknown.
	Line   int64
	Record string
	// Offset is the byte offset in File; -1 if unknown or if the error concerns the whole file.
	Offset int64
	// Document is the id of the document or page, "" if unknown.
	Document string
	// Err is the underlying error.
	Err error
}

// AsError returns err itself if it is an Error, otherwise an Error without a place.
func AsError(err error) *Error {
	if e, ok := err.(*Error); ok {
		return e
	}
	return &Error{Offset: -1, Err: err}
}

// Error returns the known parts of the place, followed by the underlying error.
func (e *Error) Error() string {
	var b strings.Builder
	part := func(s ...string) {
		for _, s := range s {
			b.WriteString(s)
		}
		b.WriteString(": ")
	}
	if e.File != "" {
		part(e.File)
	}
	if e.Line > 0 {
		part("line ", strconv.FormatInt(e.Line, 10))
	}
	if e.Record != "" {
		part("record ", e.Record)
	}
	if e.Offset >= 0 {
		part("byte ", strconv.FormatInt(e.Offset, 10))
	}
	if e.Document != "" {
		part("document ", e.Document)
	}
	return b.String() + e.Err.Error()
}

// Unwrap returns the underlying error.
func (e *Error) Unwrap() error { return e.Err }

// ErrEmpty is the error for an empty file, which contains no page. It deserves a warning and is
// not a failure.
var ErrEmpty = errors.New("empty file")
