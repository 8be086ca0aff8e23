package chaffinch_test

import (
	"os"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestReadmeProgram wants the program in README.md to be the one in examples.
func TestReadmeProgram(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	must.Succeed(t, err)
	prog, err := os.ReadFile("examples/library/main.go")
	must.Succeed(t, err)
	_, body, ok := strings.Cut(string(prog), "func main() {")
	if !ok || !strings.Contains(string(readme), body) {
		t.Error("the program in README.md differs from examples/library/main.go")
	}
}
