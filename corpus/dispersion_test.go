package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
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

// TestDP holds the deviation of proportions to the example of Gries 2008, section 2: the letter a
// in five parts of 10 letters, with 1 to 5 of the 15 occurrences, and to a value worked out for parts
// of unequal sizes.
//
//	equal   v = 1/15 2/15 3/15 4/15 5/15, s = 1/5: DP = 1/2 (2/15 + 1/15 + 0 + 1/15 + 2/15) = 0.2
//	        DPnorm = 0.2 / (1 - 1/5) = 0.25
//	unequal parts of 1, 3 and 6 tokens with 1, 0 and 1 hits: s = 0.1 0.3 0.6, v = 0.5 0 0.5
//	        DP = 1/2 (0.4 + 0.3 + 0.1) = 0.4, DPnorm = 0.4 / 0.9
func TestDP(t *testing.T) {
	equal := strings.Builder{}
	for n := range 5 {
		fmt.Fprintf(&equal, "<doc n=\"%d\">\n%s%s</doc>\n", n, strings.Repeat("a\n", n+1), strings.Repeat("b\n", 9-n))
	}
	unequal := "<doc n=\"1\">\na\n</doc>\n<doc n=\"2\">\nb\nb\nb\n</doc>\n<doc n=\"3\">\nb\nb\na\nb\nb\nb\n</doc>\n"
	for _, x := range []struct {
		vertical, where, by string
		dp, norm            float64
	}{
		{equal.String(), "", "doc", 0.2, 0.25}, {equal.String(), "", "doc.n", 0.2, 0.25},
		{unequal, "", "doc", 0.4, 0.4 / 0.9},
		{unequal, "doc.n!=\"2\"", "doc", 0.5 - 1./7, (0.5 - 1./7) / (6. / 7)},
		{unequal, "doc.n=\"1\"", "doc", 0, 0},
	} {
		c := build(t, x.vertical, "word")
		if x.where != "" {
			part := must.Get(c.Where(t.Context(), x.where))(t)
			c = part
		}
		w := must.Get(c.WordList(t.Context(), WordListConfig{Pattern: "a", DP: x.by}))(t)
		if got := w.Rows[0]; !near(*got.DP, x.dp, 1e-12) || !near(*got.DPNorm, x.norm, 1e-12) {
			t.Errorf("%s %s: DP %v, DPnorm %v, want %v, %v", x.where, x.by, *got.DP, *got.DPNorm, x.dp, x.norm)
		}
	}
}
