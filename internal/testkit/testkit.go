// Package testkit holds what tests of several packages share.
package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// Data returns the path of a data set, such as "eval/cleaneval-en-dev.tar.zst",
// below the folder that CHAFFINCH_DATA names, by default the nearest shared/data
// above the package. A test whose data set is missing is skipped by name; where CI
// is set, that is a failure.
func Data(t testing.TB, name string) string {
	t.Helper()
	p := filepath.Join(DataDir(), filepath.FromSlash(name))
	if _, err := os.Stat(p); err != nil {
		Lacks(t, "data set "+name+" (CHAFFINCH_DATA names the folder that has it)", err)
	}
	return p
}

// Part reports whether a test of many alike cases should run case i. In short runs (go
// test -short) that is one case in n, otherwise every case. A prime n samples every kind
// of case where the kinds alternate.
func Part(i, n int) bool { return !testing.Short() || i%n == 0 }

// DataDir returns the folder that holds the data sets, whether it exists or not.
func DataDir() string {
	if d := os.Getenv("CHAFFINCH_DATA"); d != "" {
		return d
	}
	beside := filepath.Join("shared", "data")
	folder, err := os.Getwd() // the folder of the package that is tested
	for err == nil && folder != filepath.Dir(folder) {
		folder = filepath.Dir(folder)
		if _, err := os.Stat(filepath.Join(folder, beside)); err == nil {
			return filepath.Join(folder, beside)
		}
	}
	return beside
}
