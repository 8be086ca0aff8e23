//go:build !race

package pii

import "testing"

// TestFindAllocations finds identification numbers without allocating memory for each token. The
// race detector empties pools, so the test is not built with it.
func TestFindAllocations(t *testing.T) {
	const text = "PESEL: 44051401359, BSN 111222333 and 1234567890 in NASA's plain Text of 2024."
	var found []Match
	if n := testing.AllocsPerRun(100, func() { found = Find(text, found[:0]) }); n > 1 { // the groups of a long number
		t.Errorf("%v allocations", n)
	}
}
