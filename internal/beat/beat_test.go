package beat

import (
	"sync/atomic"
	"testing"
	"time"
)

// TestEvery: it is told at once, then again and again, and not after the end.
func TestEvery(t *testing.T) {
	var n atomic.Int64
	again := make(chan struct{}, 1)
	stop := Every(time.Microsecond, func() {
		if n.Add(1) == 3 {
			again <- struct{}{}
		}
	})
	if n.Load() == 0 {
		t.Error("nothing was told at once")
	}
	<-again
	stop()
	told := n.Load()
	time.Sleep(5 * time.Millisecond)
	if n.Load() != told {
		t.Error("it was told after the end")
	}
}
