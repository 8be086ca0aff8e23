package chart

import (
	"math"
	"strings"
	"testing"
)

// TestHistogram draws distributions: all values are in bars, limits are lines within the image.
func TestHistogram(t *testing.T) {
	for name, h := range map[string]Histogram{
		"none":      {},
		"one value": {Bins: []Bin{{Low: 3, Within: 7}}},
		"shares":    {Bins: []Bin{{0, 900, 0}, {0.25, 50, 0}, {0.9, 0, 50}}, Marks: []Mark{{0.3, "0.3"}}},
		"counts":    {Bins: []Bin{{0, 5, 0}, {2, 5, 0}, {90, 80, 0}, {70000, 0, 9}, {1e300, 0, 1}}, Marks: []Mark{{100, "100"}, {1e5, "100000"}}},
		"negative":  {Bins: []Bin{{-4, 2, 1}, {4, 2, 0}}, Marks: []Mark{{-1, "-1"}}},
	} {
		x := h.scale()
		if !(x.From < x.To) || x.Log && x.From <= 0 {
			t.Errorf("%s: a scale from %v to %v", name, x.From, x.To)
		}
		var want, got int64
		for _, b := range h.Bins {
			want += b.Within + b.Beyond
		}
		for _, b := range h.bars(x) {
			got += b.Within + b.Beyond
		}
		if got != want {
			t.Errorf("%s: bars hold %d values, wanted %d", name, got, want)
		}
		image := h.Draw()
		if strings.Contains(image, "NaN") || strings.Contains(image, "Inf") {
			t.Errorf("%s: %s", name, image)
		}
		if len(h.Marks) > 0 && !strings.Contains(image, `class="limit"`) {
			t.Errorf("%s: no line for the limit", name)
		}
	}
	for v, want := range map[float64]string{3: "3", 0.1234: "0.123", 1e5: "100000", math.Pi: "3.14"} {
		if got := Value(v); got != want {
			t.Errorf("%v is %s, wanted %s", v, got, want)
		}
	}
}
