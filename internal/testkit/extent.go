package testkit

import (
	"os"
	"testing"
)

// The environment alone decides how much the tests do:
//
//   - neither variable: fast tests, without data sets and browsers
//   - CI=true: all tests, with a part of the cases where these are many
//   - CHAFFINCH_LONG=1: all tests with all cases

// Slow skips a test, except with CI=true or CHAFFINCH_LONG=1. Tests that take more than a second
// of processor time call it, if faster tests check the same code. Benchmarks and fuzzers
// are never skipped.
func Slow(t testing.TB) {
	t.Helper()
	if _, ok := t.(*testing.T); ok && !Long() {
		t.Skip("slow: needs CI=true or CHAFFINCH_LONG=1")
	}
}

// Long reports whether slow tests run: with CI=true or CHAFFINCH_LONG=1.
func Long() bool { return os.Getenv("CI") != "" || Whole() }

// Whole reports whether tests run all of their cases: with CHAFFINCH_LONG=1.
func Whole() bool { return os.Getenv("CHAFFINCH_LONG") == "1" }

// fewer is the share of cases in CI that run without CI. It is a prime, as the shares of tests should be.
const fewer = 7

// Part reports whether a test of many similar cases should run case i. In CI it is one case in n, without
// CI one in 7n, with CHAFFINCH_LONG=1 every case. A prime n samples every kind of case if the
// kinds alternate.
func Part(i, n int) bool {
	if !Long() {
		n *= fewer
	}
	return Whole() || i%n == 0
}
