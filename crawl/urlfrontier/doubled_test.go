package urlfrontier

import (
	"math"
	"testing"
	"time"
)

// TestDoubled wants pauses that never shrink and never exceed their limit, after any number of attempts.
func TestDoubled(t *testing.T) {
	for n, want := range map[int]time.Duration{0: time.Second, 1: 2 * time.Second, 5: 32 * time.Second, 6: time.Minute, 34: time.Minute, 35: time.Minute, 64: time.Minute, math.MaxInt: time.Minute} {
		if got := doubled(time.Second, n, time.Minute); got != want {
			t.Errorf("a second, doubled %d times: %v, wanted %v", n, got, want)
		}
	}
	if got := doubled(9000*time.Hour, maxFailures, math.MaxInt64/2); got < 9000*time.Hour {
		t.Errorf("a year, doubled %d times: %v", maxFailures, got)
	}
}
