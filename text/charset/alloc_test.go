//go:build !race

package charset

import (
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestAllocs wants next to none in Rank. The race detector makes pools forget
// what they hold, so this test is not built with it.
func TestAllocs(t *testing.T) {
	d := must.Get(New(Default))(t)
	raw := written(t, "windows-1251", strings.Repeat(russian, 20))
	dst := d.Rank(nil, raw, 3)
	if n := testing.AllocsPerRun(20, func() { dst = d.Rank(dst[:0], raw, 3) }); n > 1 {
		t.Errorf("%v allocations for %d bytes", n, len(raw))
	}
}
