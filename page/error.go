package page

import (
	"errors"
	"strconv"
	"strings"
)

// Error is something wrong in one place of the input. Readers and stages return
// it, or tell of it by OnError, OnRepair or OnProblem and go on.
type Error struct {
	// File is the file as the user named it, "" if it is not known.
	File string
	// Line is the number of the line, from 1, and Record the id or the address of
	// a record; 0 and "" if they are not known.
	Line   int64
	Record string
	// Offset is the byte offset in File, -1 if it is not known or the file as a
	// whole is meant.
	Offset int64
	// Document is the id of the document or page, "" if it is not known.
	Document string
	// Err is what is wrong there.
	Err error
}

// AsError returns err itself if it is an Error, else one without a place.
func AsError(err error) *Error {
	if e, ok := err.(*Error); ok {
		return e
	}
	return &Error{Offset: -1, Err: err}
}

// Error names the place, as far as it is known, and what is wrong there.
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

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// ErrEmpty tells of a file without a byte, which holds no page: that is worth a
// warning, and no failure.
var ErrEmpty = errors.New("empty file")
