package blocks

import (
	"math"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestProbabilities: they sum to 1, and the labeller decides by them.
func TestProbabilities(t *testing.T) {
	l := must.Get(New(Config{Keep: Article}))(t)
	p := cut(t, "<ul class=nav><li><a href=/>Home</a></ul><div class=story><p>The baker opens at six, and by noon the miller has been there twice, as everybody in the village knows.</div><p class=foot>Copyright 2019")
	of, err := l.Probabilities(t.Context(), p)
	if err != nil || len(of) != len(p.Blocks)*Roles {
		t.Fatal(len(of), err)
	}
	v := must.Get(l.Label(t.Context(), p))(t)
	for i := range v {
		of := of[i*Roles:][:Roles]
		sum := float32(0)
		for _, x := range of {
			sum += x
		}
		if math.Abs(float64(sum-1)) > 1e-4 {
			t.Errorf("block %d: the probabilities sum to %v", i, sum)
		}
	}
}

// TestLean reads damaged sections.
func TestLean(t *testing.T) {
	if err := new(Model).readLean(make([]byte, 7)); err == nil {
		t.Error("a lean of 7 bytes is read")
	}
}
