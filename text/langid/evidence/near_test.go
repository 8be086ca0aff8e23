package evidence

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestNear compares the sets of near classes and the highest scores with simple loops.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var y Tally
		first := r.IntN(MaxClasses)
		n := 1 + r.IntN(min(80, MaxClasses-first))
		if r.IntN(50) == 0 {
			first, n = 0, MaxClasses
		}
		var classes []uint16
		for c := first; c < first+n; c++ {
			if y.Score[c] = int32(r.IntN(100) - 50); r.IntN(200) == 0 {
				y.Score[c] = []int32{math.MinInt32, math.MaxInt32}[r.IntN(2)]
			}
			if n%3 > 0 || r.IntN(5) > 0 || classes == nil {
				classes = append(classes, uint16(c))
			}
		}
		top := y.Score[classes[0]]
		for _, c := range classes {
			top = max(top, y.Score[c])
		}
		if got := y.top(classes); got != top {
			t.Fatalf("classes %d: top %d, want %d", classes, got, top)
		}
		limit := []int32{0, 1, int32(r.IntN(100)), math.MaxInt32}[r.IntN(4)]
		var got nearSet
		got.near(classes, &y, top, limit)
		var want []uint16
		for _, c := range classes {
			if int64(top)-int64(y.Score[c]) <= int64(limit) {
				want = append(want, c)
			}
		}
		var have []uint16
		for i, c := range classes {
			if got[i/64]>>(i%64)&1 != 0 {
				have = append(have, c)
			}
		}
		if !slices.Equal(have, want) || got.len() != len(want) {
			t.Fatalf("scores %d, limit %d: near %d, want %d", y.Score[first:first+n], limit, have, want)
		}
	}
}

// TestLead compares the fast sum of Lead with the sum of Among.
func TestLead(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var k Softness
	k.set(.125, -.4, -.2)
	var p Probabilities
	for range 2000 {
		var y Tally
		y.Rows = int32(r.IntN(2 * tabledExps))
		first := r.IntN(100)
		var classes []uint16
		for c := first; c < first+1+r.IntN(400); c++ {
			y.Score[c] = int32(r.IntN(500))
			classes = append(classes, uint16(c))
		}
		best, sum := Lead(classes, &y, &k)
		best2, sum2 := Among(classes, &y, &k, &p)
		if best != best2 || sum != sum2 {
			t.Fatalf("%d classes, %d rows: class %d and %v, want %d and %v", len(classes), y.Rows, best, sum, best2, sum2)
		}
	}
}
