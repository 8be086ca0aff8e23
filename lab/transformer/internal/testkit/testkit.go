// Package testkit contains helpers for the tests of several packages of this module, such as
// [Library].
package testkit

import (
	"os"
	"testing"
)

// Library returns the path of ONNX Runtime's shared library from the environment variable
// CHAFFINCH_ONNXRUNTIME. A test whose library is missing is skipped; if CI=true, it fails.
func Library(t testing.TB) string {
	t.Helper()
	path := os.Getenv("CHAFFINCH_ONNXRUNTIME")
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("ONNX Runtime is missing: CHAFFINCH_ONNXRUNTIME=%q: %v", path, err)
		}
		t.Skip("ONNX Runtime is missing: set CHAFFINCH_ONNXRUNTIME")
	}
	return path
}
