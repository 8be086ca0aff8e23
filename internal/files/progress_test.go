package files

import "testing"

// TestProgress: what is told never goes back, but by Begin.
func TestProgress(t *testing.T) {
	var p Progress
	p.Pass(10)
	p.Pass(-1)
	if got := p.Done(); got != 10 {
		t.Errorf("%d bytes behind files of 10 and an unknown number", got)
	}
	p.before.Store(4)
	if got := p.Done(); got != 10 {
		t.Errorf("went back to %d", got)
	}
	p.Begin(3)
	if got := p.Done(); got != 3 {
		t.Errorf("%d bytes, begun behind 3", got)
	}
}
