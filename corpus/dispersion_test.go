package corpus

import (
	"slices"
	"testing"
)

// TestDispersion holds both figures to values worked out by hand, in a corpus
// of 12 tokens:
//
//	0 3 6 9  v = 3, all distances 3: ARF = 4; ALDF = 2^-(4 * 1/4 log2 1/4) = 4
//	0 1 2 3  distances 1 1 1 9: ARF = 3 * 1/3 + 1 = 2
//	         ALDF = 2^(3/12 log2 12 + 9/12 log2 12/9) = 2^(0.8962+0.3113) = 2.3095
//	5        v = 12, distance 12: ARF = ALDF = 1
//	0 11     v = 6, distances 11 1: ARF = 1 + 1/6; ALDF = 2^(11/12*0.1255+0.2987) = 1.3321
func TestDispersion(t *testing.T) {
	for _, c := range []struct {
		at        []int64
		arf, aldf float64
	}{
		{[]int64{0, 3, 6, 9}, 4, 4}, {[]int64{0, 1, 2, 3}, 2, 2.30942}, {[]int64{5}, 1, 1}, {[]int64{0, 11}, 7. / 6, 1.33209}, {nil, 0, 0},
	} {
		arf, aldf := dispersion(slices.Values(c.at), int64(len(c.at)), 12)
		if !near(arf, c.arf, 1e-4) || !near(aldf, c.aldf, 1e-4) {
			t.Errorf("%v: ARF %.5f, ALDF %.5f, want %.5f, %.5f", c.at, arf, aldf, c.arf, c.aldf)
		}
	}
	if arf, aldf := dispersion(slices.Values([]int64{}), 3, 0); arf != 0 || aldf != 0 {
		t.Errorf("an empty corpus: %v, %v", arf, aldf)
	}
}
