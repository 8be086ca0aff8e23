package files

import "testing"

// TestProgress: the reported progress never decreases, except by begin.
func TestProgress(t *testing.T) {
	var p progress
	p.pass(10)
	p.pass(-1)
	if got := p.done(); got != 10 {
		t.Errorf("%d bytes behind files of 10 and an unknown number", got)
	}
	p.before.Store(4)
	if got := p.done(); got != 10 {
		t.Errorf("went back to %d", got)
	}
	p.begin(3)
	if got := p.done(); got != 3 {
		t.Errorf("%d bytes, begun behind 3", got)
	}
}
