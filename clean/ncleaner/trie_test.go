package ncleaner

import (
	"math"
	"slices"
)

// trie is what hashed is tested with: a tree of all n-grams that
// either model knows, and of their beginnings, laid out level by level, the
// nodes of a level in ascending order of their grams. Thereby the children of
// a node are neighbours, ordered by symbol, and where they end those of the
// next node begin:
//
//	root   node 0; its children are nodes 1 to V, one for each symbol
//	sym    last symbol of the node's gram
//	first  first child; the last one stands before first[node+1]
//	shift  the node of the gram without its first symbol
//	val    log2 Pr_clean - log2 Pr_dirty of the last symbol after the others
//	back   what that difference changes by when the gram, as a history, has no
//	       child for the next symbol, and shift is asked instead
//
// A history that a model has seen, but not with this symbol, gives by the
// recursion of Estimator Pr_k(c|h) = (1-a_k) Pr_k-1(c|h'); one that it has not
// seen gives Pr_k-1(c|h') alone. So back is log2(1-a_k), for clean positive,
// for dirty negative: 0 where both have seen the history.
type trie struct {
	n       int
	startAt uint32
	sym     []symbol
	first   []uint32
	shift   []uint32
	val     []float32
	back    []float32
	inner   uint32 // nodes from here on are whole n-grams
}

func newTrie(clean, dirty *Estimator) *trie {
	n, bits := clean.n, clean.a.bits
	levels := gramsOf(clean, dirty)
	levels[0] = []gram{0}

	nodes := 0
	for k := 0; k <= n; k++ {
		nodes += len(levels[k])
	}
	t := &trie{n: n, sym: make([]symbol, 0, nodes), first: make([]uint32, 0, nodes+1),
		shift: make([]uint32, 0, nodes), val: make([]float32, 0, nodes), back: make([]float32, 0, nodes)}
	base := uint32(0)     // first node of level k
	prevBase := uint32(0) // first node of level k-1
	for k := 0; k <= n; k++ {
		next := base + uint32(len(levels[k]))
		child := 0
		if k == n {
			t.inner = base
		}
		for _, g := range levels[k] {
			var back float64
			if k < n {
				for child < len(levels[k+1]) && levels[k+1][child]>>bits < g {
					child++
				}
				if k > 0 && clean.seen(g, k+1) {
					back += math.Log2(1 - clean.take[k+1])
				}
				if k > 0 && dirty.seen(g, k+1) {
					back -= math.Log2(1 - dirty.take[k+1])
				}
			}
			var val float64
			shift := uint32(0)
			if k > 0 {
				val = math.Log2(clean.prob(g, k) / dirty.prob(g, k))
				i, _ := slices.BinarySearch(levels[k-1], g&maskOf(k-1, bits))
				shift = prevBase + uint32(i)
			}
			t.sym = append(t.sym, symbol(g&maskOf(1, bits)))
			t.first = append(t.first, next+uint32(child))
			t.shift = append(t.shift, shift)
			t.val = append(t.val, float32(val))
			t.back = append(t.back, float32(back))
		}
		prevBase, base = base, next
	}
	t.first = append(t.first, uint32(nodes))
	for range n - 1 {
		if c, ok := t.child(t.startAt, boundary); ok {
			t.startAt = c
		}
	}
	return t
}

// child returns the child of node for symbol s.
func (t *trie) child(node uint32, s symbol) (uint32, bool) {
	lo, hi := t.first[node], t.first[node+1]
	if node == 0 {
		return lo + uint32(s), true
	}
	for hi-lo > 6 {
		mid := (lo + hi) / 2
		if t.sym[mid] <= s {
			lo = mid
		} else {
			hi = mid
		}
	}
	for ; lo < hi; lo++ {
		if t.sym[lo] == s {
			return lo, true
		}
	}
	return 0, false
}

func (t *trie) start() uint32 { return t.startAt }

func (t *trie) run(syms []symbol, state uint32, sum float64) (uint32, float64) {
	for _, s := range syms {
		for {
			c, ok := t.child(state, s)
			if !ok {
				sum += float64(t.back[state])
				state = t.shift[state]
				continue
			}
			sum += float64(t.val[c])
			if c >= t.inner {
				c = t.shift[c]
			}
			state = c
			break
		}
	}
	return state, sum
}
