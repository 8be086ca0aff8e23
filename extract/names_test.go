package extract

import (
	"fmt"
	"testing"
)

// TestNameHash: end tags of unknown names look through the stack where an open
// element has their hash, which must be few of them with as many open as there can be.
func TestNameHash(t *testing.T) {
	open, met := map[uint]bool{}, 0
	for i := range Default.MaxDepth {
		open[nameHash(fmt.Sprintf("s%d", i))] = true
	}
	for i := range 10_000 {
		if open[nameHash(fmt.Sprintf("t%d", i))] {
			met++
		}
	}
	if nameHash("x-Box") != nameHash("X-BOX") || met > 2500 {
		t.Errorf("%d of 10,000 other names have the hash of an open element", met)
	}
}
