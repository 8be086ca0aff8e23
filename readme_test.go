package chaffinch_test

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestReadmeProgram wants the program in README.md to be the one in examples.
func TestReadmeProgram(t *testing.T) {
	readme := must.Read(t, "README.md")
	prog := must.Read(t, "examples/library/main.go")
	_, body, ok := strings.Cut(string(prog), "func main() {")
	if !ok || !strings.Contains(string(readme), body) {
		t.Error("the program in README.md differs from examples/library/main.go")
	}
}
