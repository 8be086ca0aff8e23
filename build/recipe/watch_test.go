package recipe

import "testing"

// TestWatchResumed: the progress of a resumed run begins with what was done before.
func TestWatchResumed(t *testing.T) {
	var first, of int64 = -1, -1
	j := Job{Progress: func(_ string, done, total int64) {
		if first < 0 {
			first, of = done, total
		}
	}}
	j.watch(StepPages, func() (done, total int64) { return 60, 100 })()
	if first != 60 || of != 100 {
		t.Errorf("it begins at %d of %d, want 60 of 100", first, of)
	}
}
