//go:build !race

package langid_test

import (
	"testing"

	"chaffinch/internal/testkit/must"
	"chaffinch/text/langid"
)

// TestAllocations wants none in Detect. The race detector makes some of its
// own, so this test is not built with it.
func TestAllocations(t *testing.T) {
	d := must.Get(langid.New(langid.Default))(t)
	for _, s := range []string{longEnglish, longRussian, "Starý most bol zatvorený", "<a href=\"x\">", "e\u0301te\u0301", ""} {
		if n := testing.AllocsPerRun(20, func() { d.Detect(s) }); n > 0 {
			t.Errorf("%q: %v allocations", s, n)
		}
	}
}
