package ncleaner

import (
	"maps"
	"math"
	"math/bits"
	"slices"
)

// hashed is the scorer of n-grams that do not fit a table. For each length it has a hash
// table of all n-grams in either model, and of their prefixes and suffixes.
//
// By the recursion of Estimator, a history that a model has seen, but not with this symbol,
// gives Pr_k(c|h) = (1-a_k) Pr_k-1(c|h'). An unseen history gives Pr_k-1(c|h'). So a symbol
// whose n-gram is in no table scores the back of its history plus its score after the
// history without the first symbol.
//
// The state is the packed n-gram. The next lookup therefore does not depend on the result of
// this one, and a processor runs several in parallel.
type hashed struct {
	n, bits int
	mask    gram
	levels  [maxN + 1]level // index k has the grams of k symbols; 1 has all symbols in order
}

// level is a table with open addressing and linear probing.
type level struct {
	mask  gram
	shift int // shift from a product to the index of a slot
	slots []slot
}

// slot holds a gram and its scores.
type slot struct {
	gram gram
	val  float32 // log2 Pr_clean - log2 Pr_dirty of the last symbol after the others, NaN in a free slot
	// back is the change of that difference when the gram, as a history, is in no table with
	// the next symbol: log2(1-a_k), positive for clean and negative for dirty.
	back float32
}

func newHashed(clean, dirty *Estimator) *hashed {
	n, b := clean.n, clean.a.bits
	t := &hashed{n: n, bits: b, mask: maskOf(n, b)}
	grams := gramsOf(clean, dirty)
	for k := 1; k <= n; k++ {
		l := newLevel(len(grams[k]), maskOf(k, b))
		for _, g := range grams[k] {
			s := slot{gram: g, val: float32(math.Log2(clean.prob(g, k) / dirty.prob(g, k)))}
			if k < n {
				back := 0.0
				if clean.seen(g, k+1) {
					back += math.Log2(1 - clean.take[k+1])
				}
				if dirty.seen(g, k+1) {
					back -= math.Log2(1 - dirty.take[k+1])
				}
				s.back = float32(back)
			}
			l.add(s)
		}
		t.levels[k] = l
	}
	return t
}

// gramsOf returns at index k the grams of k symbols in order: the grams seen by either model
// and the prefixes of longer ones. Index 1 has all symbols.
func gramsOf(clean, dirty *Estimator) (grams [maxN + 1][]gram) {
	var longer map[gram]bool
	for k := clean.n; k >= 1; k-- {
		set := map[gram]bool{}
		for g := range clean.events[k] {
			set[g] = true
		}
		for g := range dirty.events[k] {
			set[g] = true
		}
		for g := range longer {
			set[g>>clean.a.bits] = true
		}
		if k == 1 {
			for s := range clean.a.size {
				set[gram(s)] = true
			}
		}
		grams[k] = slices.Sorted(maps.Keys(set))
		longer = set
	}
	return grams
}

// newLevel returns a level with space for n grams. At least half of the slots stay free.
func newLevel(n int, mask gram) level {
	b := bits.Len(uint(2*max(n, 1) - 1))
	l := level{mask: mask, shift: 64 - b, slots: make([]slot, 1<<b)}
	for i := range l.slots {
		l.slots[i].val = float32(math.NaN())
	}
	return l
}

const golden = 0x9e3779b97f4a7c15

// place returns the index of the first slot to probe for a gram.
func (l *level) place(g gram) int {
	hi, lo := bits.Mul64(g^golden, golden)
	return int((hi ^ lo) >> (l.shift & 63))
}

func (l *level) add(s slot) {
	i := l.place(s.gram)
	for l.slots[i].val == l.slots[i].val {
		i = (i + 1) & (len(l.slots) - 1)
	}
	l.slots[i] = s
}

// find returns the slot of a gram, or the free slot to insert it.
func (l *level) find(g gram) *slot {
	slots := l.slots
	for i := l.place(g); ; i++ {
		s := &slots[i&(len(slots)-1)]
		if s.gram == g || s.val != s.val {
			return s
		}
	}
}

func (t *hashed) start() gram { return 0 } // boundaries only

func (t *hashed) run(syms []symbol, state gram, sum float64) (gram, float64) {
	top, b := &t.levels[t.n], t.bits
	for _, s := range syms {
		state = (state<<b | gram(s)) & t.mask
		if x := top.find(state); x.val == x.val {
			sum += float64(x.val)
		} else {
			sum = t.shorter(state, sum)
		}
	}
	return state, sum
}

// shorter scores a symbol whose n-gram is in no table.
func (t *hashed) shorter(g gram, sum float64) float64 {
	for k := t.n - 1; ; k-- {
		l := &t.levels[k]
		if h := l.find(g >> t.bits & l.mask); h.val == h.val {
			sum += float64(h.back)
		}
		if x := l.find(g & l.mask); x.val == x.val {
			return sum + float64(x.val)
		}
	}
}
