package testkit

import (
	"os"
	"os/exec"
	"testing"
)

// Tool returns the path of a program, such as "chromium", that a test runs. A
// test whose program is missing is skipped by name; where CI is set, that is a
// failure.
func Tool(t testing.TB, name string) string {
	t.Helper()
	p, err := exec.LookPath(name)
	if err != nil {
		Lacks(t, "program "+name, err)
	}
	return p
}

// Lacks skips a test for what the machine does not have; where CI is set, that
// is a failure.
func Lacks(t testing.TB, what string, err error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s: %v: CI must have it", what, err)
	}
	t.Skipf("%s: %v", what, err)
}
