package words

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"chaffinch/internal/testkit"
	"chaffinch/internal/testkit/must"
	"chaffinch/text/lm"
)

// TestCounter counts n-grams of few and of many different words, with keys of one number and
// longer ones, in memory and on disk, as a map does.
func TestCounter(t *testing.T) {
	testkit.Slow(t)
	for _, words := range []int{4, 300, 70_000} {
		for _, order := range []int{1, 3, 4, lm.MaxOrder} {
			for _, memory := range []int64{1, 1 << 30} {
				for _, weights := range []uint64{1, 3} {
					t.Run(fmt.Sprint(words, order, memory, weights), func(t *testing.T) { testCounter(t, words, order, memory, weights) })
				}
			}
		}
	}
}

func testCounter(t *testing.T, words, order int, memory int64, weights uint64) {
	v := newVocab()
	c := newCounter(order, v, memory, t.TempDir())
	defer c.close()
	rnd := rand.New(rand.NewPCG(uint64(words), uint64(order)))
	type key [lm.MaxOrder]uint32
	want := map[key]count{}
	for i := range 2000 {
		ids := []uint32{lm.Begin}
		for range rnd.IntN(12) {
			id := v.id(fmt.Append(nil, rnd.IntN(words)))
			if rnd.IntN(3) > 0 { // some n-grams come again
				id = lm.Special
			}
			ids = append(ids, id)
		}
		ids = append(ids, lm.End)
		ticks := ticksPerWeight * (1 + uint64(i)/700%weights)
		must.Succeed(t, c.add(ids, ticks))
		var k key
		for j := range k[:order] {
			k[j] = lm.Begin
		}
		for _, id := range ids[1:] {
			copy(k[1:order], k[:order-1])
			k[0] = id
			x := want[k]
			want[k] = count{k, x.n + 1, x.ticks + ticks}
		}
	}
	counts := must.Get(c.end())(t)
	defer counts.close()
	if spilled := counts.spilled() > 0; memory > 1 && spilled || memory == 1 && words >= 300 && order > 1 && !spilled {
		t.Errorf("%d runs went to disk", counts.spilled())
	}
	if n := counts.most(); n < uint64(len(want)) {
		t.Errorf("at most %d different n-grams, there are %d", n, len(want))
	}
	keys := slices.SortedFunc(maps.Keys(want), func(a, b key) int { return slices.Compare(a[:], b[:]) })
	var x count
	for _, k := range keys {
		x.ids = [lm.MaxOrder]uint32{}
		if ok, err := counts.next(&x); err != nil || !ok || x != want[k] {
			t.Fatalf("%v (%v, %v), wanted %v", x, ok, err, want[k])
		}
	}
	if ok, err := counts.next(&x); ok || err != nil {
		t.Errorf("%v behind the last one: %v", x, err)
	}
}
