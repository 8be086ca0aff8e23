package settings

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// spot is a position in a configuration.
type spot struct {
	names string // keys only, such as "exports.file"
	path  string // with list indexes, such as "exports[1].file"
}

// key returns the position of the value of a key.
func (s spot) key(name string) spot {
	return spot{strings.TrimPrefix(s.names+"."+name, "."), strings.TrimPrefix(s.path+"."+name, ".")}
}

// item returns the position of a list item.
func (s spot) item(i int) spot {
	return spot{s.names, s.path + "[" + strconv.Itoa(i) + "]"}
}

// errorf returns an error about the value at s.
func (s spot) errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if s.names != "" {
		err = fmt.Errorf("%s: %w", s.names, err)
	}
	return &spotError{s.path, err}
}

// unknown returns the error for an unknown key.
func (s spot) unknown(key, instead string) error {
	err := s.errorf("unknown key %q: %s", key, instead).(*spotError)
	err.path = s.key(key).path
	return err
}

// spotError is an error with its position.
type spotError struct {
	path string
	err  error
}

// Error returns the message with the names of the keys.
func (e *spotError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *spotError) Unwrap() error { return e.err }

// PathOf returns the position in a configuration of an error of [Parse], such as "exports[1].file",
// or "" if the error has none.
func PathOf(err error) string {
	var e *spotError
	if errors.As(err, &e) {
		return e.path
	}
	return ""
}
