// Package testkit holds what tests of several packages share.
package testkit

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Data returns the path of a data set, such as "eval/cleaneval-en-dev.tar.zst",
// below the folder that CHAFFINCH_DATA names, by default shared/data beside
// the checkout. A test whose data set is missing is skipped by name; where CI
// is set, that is a failure.
func Data(t testing.TB, name string) string {
	t.Helper()
	p := filepath.Join(DataDir(), filepath.FromSlash(name))
	if _, err := os.Stat(p); err != nil {
		Lacks(t, "data set "+name+" (CHAFFINCH_DATA names the folder that has it)", err)
	}
	return p
}

// DataDir returns the folder that holds the data sets, whether it exists or not.
func DataDir() string {
	if d := os.Getenv("CHAFFINCH_DATA"); d != "" {
		return d
	}
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(filepath.Dir(file)))
	return filepath.Join(filepath.Dir(root), "shared", "data")
}
