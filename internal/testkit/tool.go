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
		if os.Getenv("CI") != "" {
			t.Fatalf("program %s: %v: CI must have it", name, err)
		}
		t.Skipf("program %s is not in the path", name)
	}
	return p
}
