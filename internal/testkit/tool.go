package testkit

import (
	"os"
	"os/exec"
	"testing"
)

// Tool returns the path of a program that a test runs, such as "chromium". A test whose program is
// missing is skipped; if CI is set, it fails.
func Tool(t testing.TB, name string) string {
	t.Helper()
	p, err := exec.LookPath(name)
	if err != nil {
		Lacks(t, "program "+name, err)
	}
	return p
}

// Lacks skips a test because the machine lacks what; if CI is set, the test fails.
func Lacks(t testing.TB, what string, err error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s: %v: CI must have it", what, err)
	}
	t.Skipf("%s: %v", what, err)
}
