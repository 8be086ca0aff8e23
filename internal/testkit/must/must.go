// Package must stops tests at the first failing step, for example with [Succeed].
package must

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// test is the subset of testing.TB that property-based tests also implement.
type test interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// Succeed stops the test t if err is not nil.
func Succeed(t test, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns a function that stops a test if err is not nil, and returns v otherwise: must.Get(os.Open(name))(t).
func Get[T any](v T, err error) func(test) T {
	return func(t test) T {
		t.Helper()
		Succeed(t, err)
		return v
	}
}

// Fail reports a failure of the test t unless err is an error that contains want.
func Fail(t test, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, wanted one with %q", err, want)
	}
}

// Equal reports a failure of the test t unless got is want. The values at identify the case.
func Equal[T comparable](t test, got, want T, at ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%s\ngot    %#v\nwanted %#v", fmt.Sprint(at...), got, want)
	}
}

// Same is [Equal] for values with slices and maps, which it compares by [reflect.DeepEqual].
func Same[T any](t test, got, want T, at ...any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\ngot    %#v\nwanted %#v", fmt.Sprint(at...), got, want)
	}
}

// Err returns the error of a call with two results.
func Err[T any](_ T, err error) error { return err }

// Write writes a file with mode 0644, in a folder that it creates if needed.
func Write[T string | []byte](t test, path string, content T) {
	t.Helper()
	Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
	Succeed(t, os.WriteFile(path, []byte(content), 0o644))
}

// WriteAll writes files by their names relative to the folder dir.
func WriteAll[T string | []byte](t test, dir string, files map[string]T) {
	t.Helper()
	for name, content := range files {
		Write(t, filepath.Join(dir, name), content)
	}
}

// File writes a file in a temporary folder of the test, and returns its path.
func File[T string | []byte](t interface {
	test
	TempDir() string
}, name string, content T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	Write(t, path, content)
	return path
}

// Read returns the bytes of a file.
func Read(t test, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	Succeed(t, err)
	return b
}

// Is reports a failure of the test t unless err is target or wraps it.
func Is(t test, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Errorf("error %v, wanted %v", err, target)
	}
}
