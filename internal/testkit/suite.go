package testkit

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Suite returns the path of a file or folder in the checkout of another project's test suite, such
// as "html5lib-tests/encoding". CHAFFINCH_SUITES is the folder of the checkouts, each with the name
// of its repository; lab/results/suites.md lists them. Without it the test is skipped, since the
// suites are not part of this repository.
func Suite(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("CHAFFINCH_SUITES")
	if dir == "" {
		t.Skipf("%s: CHAFFINCH_SUITES names no folder of test suites (lab/results/suites.md)", name)
	}
	p := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(p); err != nil {
		t.Skipf("%v: not in CHAFFINCH_SUITES (lab/results/suites.md)", err)
	}
	return p
}

// Differences compares the failing cases of a suite, each with a description, with the cases that
// are known to fail, each with the reason. An unknown failure fails the test, and so does a known
// one that passes. ran is the number of cases.
func Differences(t *testing.T, ran int, found, intended map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if intended[name] == "" {
			t.Errorf("%s: %s", name, found[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(intended)) {
		if _, ok := found[name]; !ok {
			t.Errorf("%s: listed as different, but it is not: %s", name, intended[name])
		}
	}
	t.Logf("%d cases, %d differ, %d of them as intended", ran, len(found), len(intended))
}
