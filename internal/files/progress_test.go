package files

import (
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestProgress: the reported progress never decreases, except by begin.
func TestProgress(t *testing.T) {
	var p progress
	p.pass(10)
	p.pass(-1)
	if got := p.done(); got != 10 {
		t.Errorf("%d bytes behind files of 10 and an unknown number", got)
	}
	p.before.Store(4)
	must.Equal(t, p.done(), 10, "went back to")
	p.begin(3)
	must.Equal(t, p.done(), 3, "bytes, begun behind")
}

// TestProgressPieces: files that are read in part count with the bytes of the part.
func TestProgressPieces(t *testing.T) {
	q := NewQueue([]File{{Size: 100, From: 20, To: 50}, {Size: 100, From: 50}, {Size: 7}})
	var seen []int64
	for !q.Ended() {
		q.Pass()
		done, total := q.Progress()
		if total != 87 {
			t.Fatalf("%d bytes in all, wanted 87", total)
		}
		seen = append(seen, done)
	}
	must.Same(t, seen, []int64{30, 80, 87}, "bytes read")
}
