package settings

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// spot is a place in a configuration.
type spot struct {
	names string // of the keys, such as "exports.file"
	path  string // with the items of lists, such as "exports[1].file"
}

// key is the place of the value of a key.
func (s spot) key(name string) spot {
	return spot{strings.TrimPrefix(s.names+"."+name, "."), strings.TrimPrefix(s.path+"."+name, ".")}
}

// item is the place of an item of a list.
func (s spot) item(i int) spot {
	return spot{s.names, s.path + "[" + strconv.Itoa(i) + "]"}
}

// errorf tells what is wrong with the value there.
func (s spot) errorf(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if s.names != "" {
		err = fmt.Errorf("%s: %w", s.names, err)
	}
	return &spotError{s.path, err}
}

// unknown tells that there is no such key.
func (s spot) unknown(key, instead string) error {
	err := s.errorf("unknown key %q: %s", key, instead).(*spotError)
	err.path = s.key(key).path
	return err
}

// spotError is what is wrong at a place.
type spotError struct {
	path string
	err  error
}

// Error returns what is wrong, with the names of the keys.
func (e *spotError) Error() string { return e.err.Error() }

// Unwrap returns what is wrong.
func (e *spotError) Unwrap() error { return e.err }

// PathOf returns where in a configuration an error of [Parse] was met, such as
// "exports[1].file"; "" if the error does not tell.
func PathOf(err error) string {
	var e *spotError
	if errors.As(err, &e) {
		return e.path
	}
	return ""
}
