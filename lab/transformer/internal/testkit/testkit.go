// Package testkit holds what tests of several packages of this module share.
package testkit

import (
	"os"
	"testing"
)

// Library returns the path of ONNX Runtime's shared library, which the
// environment variable CHAFFINCH_ONNXRUNTIME names. A test whose library is
// missing is skipped by name; where CI=true that is a failure.
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
