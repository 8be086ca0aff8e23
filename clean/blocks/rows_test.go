package blocks

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chaffinch/internal/testkit/must"
)

// TestRowsAdd compares the sums of packed weights with the sums of single weights, also for
// more tokens than can be added at once.
func TestRowsAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	any := func() int8 {
		return [...]int8{int8(rng.IntN(2*MostSteps+1) - MostSteps), -MostSteps, MostSteps}[max(0, rng.IntN(40)-37)]
	}
	l, h := new(Linear), make([]RoleSteps, 1<<hintBits)
	for range Slabs {
		w := make([]int8, 1<<slabBits)
		for i := range w {
			w[i] = any()
		}
		l.Slabs = append(l.Slabs, Slab{1, w})
	}
	for i := range h {
		for r := range h[i] {
			h[i][r] = any()
		}
	}
	for _, h := range [][]RoleSteps{h, nil} {
		table := newLookup(make([]uint64, rowWords*rowCount), l, h)
		for _, n := range []int{0, 1, 5, maxAdded, maxAdded + 1, 3*maxAdded + 7} {
			var got, inGo, want sums
			slots := make([]uint32, n)
			for i := range slots {
				k := uint32(rng.IntN(1 << slabBits))
				slots[i] = k
				if h != nil {
					for r, v := range h[k>>(slabBits-hintBits)] {
						want[r] += int32(v)
					}
				}
				for s := range Slabs {
					want[Roles+s] += int32(l.Slabs[s].Weights[k])
				}
			}
			table.add(&got, slots)
			table.addGo(&inGo, slots)
			if h == nil { // whatever they are, their scale is 0
				clear(got[:Roles])
				clear(inGo[:Roles])
			}
			if got != want || inGo != want {
				t.Errorf("%d tokens: %v, in Go %v, wanted %v", n, got, inGo, want)
			}
		}
	}
}

// TestOwnSums: elements have the sums of their own tokens, whether the tokens of equal
// elements are included or not.
func TestOwnSums(t *testing.T) {
	m, err := embedded()
	must.Succeed(t, err)
	l := newLinears(m.attr, m.words, m.hints)
	s := sheetOf(t, `<div class=list>`+strings.Repeat(`<p class="item even">a<p class="item odd">b<p class=item id=first>c<p class=item id=second>c<p class=item role=note>d<p class=item role=banner>d<p class=item itemprop=name>e<p class=item itemprop=author>e<div class=item>f<b>g</b></div>`, 20)+`</div>`)
	s.attributes(&l)
	got := slices.Clone(s.tokens)
	s.elementSums(func(e int32) *elementSums {
		own := new(elementSums)
		any, near := s.appendSlots(e, nil, nil)
		l.attr.addGo(&own.any, any)
		l.attr.addGo(&own.near, near)
		return own
	})
	for e := range s.tokens {
		if s.elems[e].blocks > 0 && got[e] != s.tokens[e] {
			t.Errorf("element %d: %v, wanted %v", e, got[e], s.tokens[e])
		}
	}
}
