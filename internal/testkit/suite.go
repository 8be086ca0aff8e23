package testkit

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Suite returns the path of a file or folder in the checkout of another project's test
// suite, such as "html5lib-tests/encoding". CHAFFINCH_SUITES names the folder that holds
// the checkouts, each under the name of its repository; lab/results/suites.md lists them.
// Without it the test is skipped, since the suites are not part of this repository.
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

// Differences compares the cases of a suite that differ, each with how, with those that
// are meant to differ, each with the reason. One that is not listed fails the test, and
// so does a listed one that does not differ. ran is the number of cases.
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
