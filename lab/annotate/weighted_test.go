package annotate

import (
	"math"
	"testing"
)

// TestWeighted compares kappas with values computed by hand.
func TestWeighted(t *testing.T) {
	pairs := [][2]int{{0, 0}, {1, 1}, {2, 1}, {0, 2}}
	// A: two 0, one 1, one 2; B: one 0, two 1, one 2.
	// chance = (2*(0*1+1*2+4*1) + 1*(1*1+0*2+1*1) + 1*(4*1+1*2+0*1)) / 4 = (12+2+6)/4 = 5
	if k, ok := Weighted(pairs, 3); !ok || math.Abs(k-0) > 1e-12 {
		t.Errorf("kappa %g, %t, want 0", k, ok)
	}
	if k, ok := Weighted([][2]int{{0, 0}, {5, 5}, {3, 3}}, 6); !ok || k != 1 {
		t.Errorf("equal labels: kappa %g, %t, want 1", k, ok)
	}
	// chance = (1*2*1 + 1*2*0) / 2 = 1
	if k, ok := Weighted([][2]int{{0, 1}, {1, 1}}, 2); !ok || k != 0 {
		t.Errorf("kappa %g, %t, want 0", k, ok)
	}
	// two of three equal, the third one apart: A 0, 2, 4; B 0, 2, 3
	// chance = ((0+4+9)+(4+0+1)+(16+4+1))/3 = 13; kappa = 1 - 1/13
	if k, ok := Weighted([][2]int{{0, 0}, {2, 2}, {4, 3}}, 5); !ok || math.Abs(k-12./13) > 1e-12 {
		t.Errorf("kappa %g, %t, want %g", k, ok, 12./13)
	}
	if _, ok := Weighted([][2]int{{1, 1}, {1, 1}}, 3); ok {
		t.Error("kappa of one label is defined")
	}
	if _, ok := Weighted(nil, 3); ok {
		t.Error("kappa of no pairs is defined")
	}
}
