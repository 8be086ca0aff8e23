package budget

import (
	"context"
	"testing"
)

func TestBudget(t *testing.T) {
	b := New(10)
	if !b.TryTake(25) {
		t.Error("nothing is out: any size goes through")
	}
	if b.TryTake(1) {
		t.Error("more than the whole is out")
	}
	if !b.Take(5, 25) {
		t.Error("what is out waits on this call: it goes through")
	}
	b.Give(25)
	if !b.TryTake(5) || b.TryTake(1) {
		t.Error("5 of 10 are free")
	}
}

// TestStop wants a waiting Take to end with the context, and later ones too.
func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	b := New(1)
	defer b.StopWith(ctx)()
	b.TryTake(1)
	got := make(chan bool)
	go func() { got <- b.Take(1, 0) }()
	cancel()
	if <-got || b.Take(1, 0) || b.TryTake(1) {
		t.Error("bytes after the stop")
	}
}
