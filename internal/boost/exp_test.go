package boost

import (
	"math"
	"testing"
)

// TestExp compares exp with math.Exp.
func TestExp(t *testing.T) {
	worst := 0.
	for x := float32(0); x > -87; x -= .0007 {
		want := math.Exp(float64(x))
		worst = max(worst, math.Abs(float64(exp(x))-want)/want)
	}
	if worst > 3e-7 {
		t.Errorf("relative error %.3g, want at most 3e-7", worst)
	}
	if exp(0) != 1 {
		t.Errorf("exp(0) = %v", exp(0))
	}
	for _, x := range []float32{-87.01, -1e9, float32(math.Inf(-1)), float32(math.NaN())} {
		if got := exp(x); got != 0 {
			t.Errorf("exp(%v) = %v, want 0", x, got)
		}
	}
}
