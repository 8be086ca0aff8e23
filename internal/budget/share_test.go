package budget

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestShares lets many holders grow at once to four times what there is: all of them come to
// their end, and one at a time gets more than there is.
func TestShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const holders, each, step = 50, 40, 10
		b := New(holders * each / 4)
		done := 0
		ended := make(chan struct{})
		for range holders {
			go func() {
				s := b.Share()
				for i := 0; i < each; i += step {
					if !s.Grow(t.Context(), step) {
						t.Error("a share did not grow")
					}
					b.mu.Lock()
					if b.out > b.size+each {
						t.Errorf("%d of %d bytes are out", b.out, b.size)
					}
					b.mu.Unlock()
					time.Sleep(time.Second) // of the bubble: all others come to their turn
				}
				s.Close()
				s.Close()
				ended <- struct{}{}
			}()
		}
		for ; done < holders; done++ {
			<-ended
		}
		if b.out != 0 || b.first != nil {
			t.Errorf("%d bytes are out after the end", b.out)
		}
	})
}

// TestShareStops ends a holder that waits with its context.
func TestShareStops(t *testing.T) {
	b := New(10)
	one, two, three := b.Share(), b.Share(), b.Share()
	ctx, cancel := context.WithCancel(t.Context())
	if !one.Grow(ctx, 10) || !two.Grow(ctx, 10) {
		t.Fatal("one is within the budget, the other the first beyond it")
	}
	got := make(chan bool)
	go func() { got <- three.Grow(ctx, 1) }()
	cancel()
	if <-got {
		t.Error("the third grew too")
	}
	one.Close()
	two.Close()
	if three.Close(); !three.Grow(t.Context(), 10) {
		t.Error("all is free")
	}
}
