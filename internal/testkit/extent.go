package testkit

import (
	"flag"
	"os"
	"testing"
)

// The environment decides how much the tests do:
//
//   - neither variable: fast tests, without data sets and browsers
//   - CI=true: all tests, with a part of the cases where these are many
//   - CHAFFINCH_LONG=1: all tests with all cases
//
// Tests selected by -run are never too slow: they run as in CI.

// Slow skips a test, except with CI=true, CHAFFINCH_LONG=1 or -run. Tests that take more than a second
// of processor time call it, if faster tests check the same code. Benchmarks and fuzzers
// are never skipped.
func Slow(t testing.TB) {
	t.Helper()
	if _, ok := t.(*testing.T); ok && !Long() {
		t.Skip("slow: needs CI=true, CHAFFINCH_LONG=1 or -run")
	}
}

// Long reports whether slow tests run.
func Long() bool {
	run := flag.Lookup("test.run")
	return os.Getenv("CI") != "" || Whole() || run != nil && run.Value.String() != ""
}

// Whole reports whether tests run all of their cases: with CHAFFINCH_LONG=1.
func Whole() bool { return os.Getenv("CHAFFINCH_LONG") == "1" }

// fewer is the share of the cases of CI that fast tests run. It is a prime, as the shares of tests should be.
const fewer = 7

// Part reports whether a test of many similar cases should run case i. In CI it is one case in n, in
// fast tests one in 7n, with CHAFFINCH_LONG=1 every case. A prime n samples every kind of case if the
// kinds alternate.
func Part(i, n int) bool {
	if !Long() {
		n *= fewer
	}
	return Whole() || i%n == 0
}
