package main

import (
	"testing"
	"time"
)

// TestRate: what a resumed run had done before makes it neither faster nor shorter.
func TestRate(t *testing.T) {
	begun := time.Unix(1000, 0)
	r := rate{base: 600, begun: begun}
	now := begun.Add(10 * time.Second)
	if got := r.perSecond(700, now); got != 10 {
		t.Errorf("%v a second, want 10", got)
	}
	if got := r.left(700, 1000, now); got != 30*time.Second {
		t.Errorf("%v left, want 30s", got)
	}
	if r.perSecond(600, begun) != 0 || r.left(600, 1000, begun) != 0 {
		t.Error("a rate at the beginning")
	}
}
