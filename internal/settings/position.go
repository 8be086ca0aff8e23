package settings

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// position identifies a value in a configuration.
type position struct {
	names string // keys only, such as "exports.file"
	path  string // with list indexes, such as "exports[1].file"
}

// key returns the position of the value of a key.
func (s position) key(name string) position {
	return position{strings.TrimPrefix(s.names+"."+name, "."), strings.TrimPrefix(s.path+"."+name, ".")}
}

// item returns the position of a list item.
func (s position) item(i int) position {
	return position{s.names, s.path + "[" + strconv.Itoa(i) + "]"}
}

// errorf returns an error about the value at s.
func (s position) errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if s.names != "" {
		err = fmt.Errorf("%s: %w", s.names, err)
	}
	return &positionError{s.path, err}
}

// unknown returns the error for an unknown key.
func (s position) unknown(key, instead string) error {
	err := s.errorf("unknown key %q: %s", key, instead).(*positionError)
	err.path = s.key(key).path
	return err
}

// positionError is an error with its position.
type positionError struct {
	path string
	err  error
}

// Error returns the message with the names of the keys.
func (e *positionError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *positionError) Unwrap() error { return e.err }

// PathOf returns the position in a configuration of an error of [Parse], such as "exports[1].file",
// or "" if the error has none.
func PathOf(err error) string {
	var e *positionError
	if errors.As(err, &e) {
		return e.path
	}
	return ""
}
