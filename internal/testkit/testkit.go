// Package testkit contains helpers for the tests of several packages: [Data] finds data sets,
// [Tool] programs and [Open] a browser.
package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// Data returns the path of a data set, such as "eval/cleaneval-en-dev.tar.zst", in the folder
// CHAFFINCH_DATA. Default: the nearest shared/data above the package. The test is [Slow]. If its data
// set is missing it is skipped; if CI is set, it fails.
func Data(t testing.TB, name string) string {
	t.Helper()
	Slow(t)
	p := filepath.Join(DataDir(), filepath.FromSlash(name))
	if _, err := os.Stat(p); err != nil {
		Lacks(t, "data set "+name+" (CHAFFINCH_DATA names the folder that has it)", err)
	}
	return p
}

// DataDir returns the folder of the data sets, which may not exist.
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
