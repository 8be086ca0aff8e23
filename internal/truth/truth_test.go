package truth_test

import (
	"testing"

	"chaffinch/internal/truth"
)

func Test(t *testing.T) {
	if truth.Int(true) != 1 || truth.Int(false) != 0 || truth.Float32(true) != 1 || truth.Float32(false) != 0 || truth.Float64(true) != 1 || truth.Float64(false) != 0 {
		t.Error("wanted 1 for true and 0 for false")
	}
}
