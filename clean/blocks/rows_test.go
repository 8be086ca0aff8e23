package blocks

import (
	"math/rand/v2"
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
		table := lookup{rows: make([]uint64, rowWords*rowCount)}
		table.setLinear(l)
		table.setHints(h)
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

// TestSum compares sum with sumGo, also for a sum that is set to itself plus another.
func TestSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 2))
	var x, y, want, got sums
	for i := range x {
		x[i], y[i] = rng.Int32()-1<<30, rng.Int32()-1<<30
	}
	want.sumGo(&x, &y)
	got.sum(&x, &y)
	if x.sum(&x, &y); got != want || x != want {
		t.Errorf("%v and %v, wanted %v", got, x, want)
	}
}

// TestAlike: elements have the sums of their own tokens, although they share them with elements
// that have the same name and attributes.
func TestAlike(t *testing.T) {
	m := must.Get(embedded())(t)
	l := m.linears
	s := sheetOf(t, `<div class=list>`+strings.Repeat(`<p class="item even">a<p class="item odd">b<p class=item id=first>c<p class=item id=second>c<p class=item role=note>d<p class=item role=banner>d<p class=item itemprop=name>e<p class=item itemprop=author>e<div class=item>f<b>g</b></div>`, 20)+`</div>`)
	s.attributes(l)
	if len(s.alikes) > len(s.elems)*3/4 {
		t.Errorf("%d elements are in %d groups", len(s.elems), len(s.alikes))
	}
	want := make([]sums, len(s.elems))
	for e := 1; e < len(s.elems); e++ {
		x, el := &s.elems[e], &s.page.Elements[e-1]
		tokens := appendTokens(appendTokens(nil, el.Class+" "+el.ID, 0), el.Role+" "+el.ItemProp, saltRole)
		class := slot(uint32(mix(hashString(el.Name), hashString(el.Class))>>32), saltClass)
		var any, near []uint32
		for _, k := range tokens {
			any, near = append(any, slot(k, saltAny)), append(near, slot(k, saltNear))
		}
		want[e] = want[x.parent]
		l.attr.addGo(&want[e], any)
		var sums sums
		l.attr.addGo(&sums, append(near, class))
		if got := s.alikeSums[x.alike].near; x.blocks > 0 && (s.tokens[e] != want[e] || got != sums) {
			t.Errorf("element %d: %v and %v, wanted %v and %v", e, s.tokens[e], got, want[e], sums)
		}
	}
}
