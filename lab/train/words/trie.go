package words

import (
	"math"
	"math/bits"
	"runtime"
	"slices"

	"chaffinch/internal/huge"
	"chaffinch/internal/parallel"
	"chaffinch/text/lm"
)

// trie holds all n-grams of a text in memory, in the order of a model. It is the fast way to count
// and estimate: there is one sort, of numbers that share the last word. It requires that each n-gram
// is kept and counts once.
//
// K is the type of a sort key, which holds the ids of the words before the last one.
type trie[K uint32 | uint64] struct {
	order  int
	words  int
	bits   uint    // of a scrambled id
	levels []level // of order k at k-2
	ccs    [][5]uint64
}

// level holds the n-grams of an order from 2 on. The n-grams with a common end, which is an n-gram
// of the order below, are adjacent.
type level struct {
	first   []uint32 // by n-gram of the order below: its first n-gram here; one more at the end
	left    []uint32 // the first word, scrambled
	count   []uint32 // adjusted count; of the longest order, occurrences
	context []uint32 // the n-gram without the last word, in the order below
}

// trieBytes is the maximum size of an n-gram of one order in memory while a trie is estimated.
const trieBytes = 44

// fits reports whether a trie can hold the n-grams of the text.
func (b *Builder) fits() bool {
	c, n := &b.cfg, b.vocab.len()
	if ids := int64(b.counts.n); ids > math.MaxUint32 || ids*int64(8+trieBytes*(c.Order-1)) > c.Memory {
		return false
	}
	return c.Estimator == lm.KneserNey && c.Order > 1 && c.prune(c.Order) == 0 && (c.Words == 0 || c.Words >= n) &&
		c.Grams == 0 && c.MaxBytes == 0 && !b.weighted && b.counts.out == nil &&
		uint(c.Order-1)*newPacking(n).bits <= 64
}

// piece is a range of last words whose n-grams are sorted and stored together.
type piece struct {
	from, to int                 // words
	n        [lm.MaxOrder]uint32 // n-grams of each level, then the number of the first one
	ccs      [lm.MaxOrder + 1][5]uint64
}

// pieceKeys is the approximate number of n-grams of a piece.
const pieceKeys = 1 << 17

// newTrie returns the trie of the buffered sentences, which it removes from the counter.
func newTrie[K uint32 | uint64](c *counter, f *final) *trie[K] {
	order := c.order
	t := &trie[K]{order: order, words: len(f.words), bits: newPacking(len(f.words)).bits, levels: make([]level, order-1), ccs: make([][5]uint64, order+1)}
	ends, keys := t.distribute(f, c)
	c.ids = nil
	pieces := t.pieces(ends)
	sorters := make([]keySorter[K], runtime.GOMAXPROCS(0))
	parallel.EachOf(len(sorters), len(pieces), func(w, i int) {
		for word := pieces[i].from; word < pieces[i].to; word++ {
			part := keys[start(ends, word):ends[word]]
			sorters[w].sort(part, t.bits*uint(order-1))
			t.measure(part, &pieces[i])
		}
	})
	sizes := [lm.MaxOrder]uint32{}
	for i := range pieces {
		for k := range t.levels {
			n := pieces[i].n[k]
			pieces[i].n[k] = sizes[k]
			sizes[k] += n
		}
	}
	below := uint32(t.words)
	for k := range t.levels {
		l, n := &t.levels[k], sizes[k]
		l.first, l.left, l.count = make([]uint32, below+1), make([]uint32, n), make([]uint32, n)
		l.first[below] = n
		below = n
	}
	parallel.Each(0, len(pieces), func(i int) { t.fill(&pieces[i], ends, keys) })
	for i := range pieces {
		for k := range t.ccs {
			for n, x := range pieces[i].ccs[k] {
				t.ccs[k][n] += x
			}
		}
	}
	for k := range t.levels {
		t.link(k)
	}
	return t
}

// distribute groups n-grams by their last word. ends holds the end of the group of each word. A key
// holds the scrambled ids of the words to the left, the nearest one first.
func (t *trie[K]) distribute(f *final, c *counter) (ends []uint32, keys []K) {
	ends = make([]uint32, t.words)
	sum := uint32(0)
	for id, old := range f.old {
		if ends[id] = sum; id != int(lm.Begin) {
			sum += uint32(c.vocab.counts[old].raw)
		}
	}
	keys = huge.Make[K](int(sum), 0)
	begin, shift := K(0), t.bits*uint(t.order-2)
	for range t.order - 1 {
		begin = begin<<t.bits | K(lm.Scramble(lm.Begin, t.words))
	}
	type word struct{ id, left uint32 } // left is scrambled
	of := make([]word, len(f.ids))
	for old, id := range f.ids {
		of[old] = word{id, lm.Scramble(id, t.words)}
	}
	gram := begin
	for _, ids := range c.ids {
		for _, old := range ids {
			if old == lm.Begin {
				gram = begin
				continue
			}
			w := of[old]
			keys[ends[w.id]] = gram
			ends[w.id]++
			gram = gram>>t.bits | K(w.left)<<shift
		}
	}
	return ends, keys
}

// start returns the start of the group of a word.
func start(ends []uint32, word int) uint32 {
	if word == 0 {
		return 0
	}
	return ends[word-1]
}

// pieces divides the words into pieces.
func (t *trie[K]) pieces(ends []uint32) (all []piece) {
	from := 0
	for w := range ends {
		if ends[w]-start(ends, from) >= pieceKeys || w == len(ends)-1 {
			all = append(all, piece{from: from, to: w + 1})
			from = w + 1
		}
	}
	return all
}

// same returns the number of words to the left that two different keys share.
func (t *trie[K]) same(a, b K) (k int) {
	for (a^b)>>(t.bits*uint(t.order-2-k)) == 0 {
		k++
	}
	return k
}

// leftOf returns word k to the left of a key, scrambled.
func (t *trie[K]) leftOf(key K, k int) uint32 {
	return uint32(key >> (t.bits * uint(t.order-2-k)) & (1<<t.bits - 1))
}

// measure adds the number of n-grams of a last word to a piece. An n-gram with <s> is the longest
// one.
func (t *trie[K]) measure(keys []K, p *piece) {
	begin := lm.Scramble(lm.Begin, t.words)
	for i, key := range keys {
		k := 0
		if i > 0 {
			if key == keys[i-1] {
				continue
			}
			k = t.same(key, keys[i-1])
		}
		for ; k < len(t.levels); k++ {
			p.n[k]++
			if t.leftOf(key, k) == begin {
				break
			}
		}
	}
}

// fill stores the n-grams of a piece. The count of a shorter n-gram is the number of different words
// before it; an n-gram that begins with <s> has none and counts its occurrences.
func (t *trie[K]) fill(p *piece, ends []uint32, keys []K) {
	begin, at := lm.Scramble(lm.Begin, t.words), p.n
	for word := p.from; word < p.to; word++ {
		t.levels[0].first[word] = at[0]
		part := keys[start(ends, word):ends[word]]
		for i := 0; i < len(part); {
			key, from := part[i], i
			k := 0
			if i > 0 {
				k = t.same(key, part[i-1])
			}
			for i++; i < len(part) && part[i] == key; i++ {
			}
			for ; k < len(t.levels); k++ {
				l, left := &t.levels[k], t.leftOf(key, k)
				l.left[at[k]] = left
				if k > 0 {
					t.levels[k-1].count[at[k-1]-1]++
				}
				last := k == len(t.levels)-1
				if !last {
					t.levels[k+1].first[at[k]] = at[k+1]
				}
				at[k]++
				if last || left == begin {
					l.count[at[k]-1] = uint32(i - from)
					break
				}
			}
		}
		if n := at[0] - t.levels[0].first[word]; n < 5 {
			p.ccs[1][n]++
		}
	}
	for k := range t.levels {
		for _, n := range t.levels[k].count[p.n[k]:at[k]] {
			if n < 5 {
				p.ccs[k+2][n]++
			}
		}
	}
}

// link finds the contexts of a level.
func (t *trie[K]) link(k int) {
	l := &t.levels[k]
	l.context = make([]uint32, len(l.left))
	if k == 0 {
		for i, left := range l.left {
			l.context[i] = lm.Unscramble(left, t.words)
		}
		return
	}
	// The end of an n-gram without its last word is the context of the end.
	below := &t.levels[k-1]
	eachPart(len(l.first)-1, func(from, to int) {
		for end := from; end < to; end++ {
			context := below.context[end]
			lo, hi := below.first[context], below.first[context+1]
			for i := l.first[end]; i < l.first[end+1]; i++ {
				l.context[i] = below.find(l.left[i], lo, hi, t.bits)
			}
		}
	})
}

// find returns the n-gram with this first word between from and to, which exists. Scrambled ids are
// spread evenly, so that it is near the place in proportion.
func (l *level) find(left, from, to uint32, bits uint) uint32 {
	at := from + uint32(uint64(left)*uint64(to-from)>>bits)
	step := uint32(1)
	if x := l.left[at]; x == left {
		return at
	} else if x < left {
		for from = at + 1; from+step < to && l.left[from+step] <= left; step *= 2 {
			from += step
		}
		to = min(to, from+step)
	} else {
		for to = at; to-from > step && l.left[to-step] > left; step *= 2 {
			to -= step
		}
		if to-from > step {
			from = to - step
		}
	}
	for to-from > 1 {
		if mid := (from + to) / 2; l.left[mid] <= left {
			from = mid
		} else {
			to = mid
		}
	}
	return from
}

// keySorter sorts numbers.
type keySorter[K uint32 | uint64] struct {
	aux  []K
	next []uint32
}

// sort sorts keys, which differ in their lowest bits only: from the highest bits to the lowest ones.
func (s *keySorter[K]) sort(keys []K, bits uint) {
	if len(s.aux) < len(keys) {
		s.aux = make([]K, len(keys))
	}
	s.radix(keys, bits)
}

const (
	// fewKeys is the number of keys up to which an insertion sort is fastest.
	fewKeys = 24
	// maxDigit is the maximum number of bits of a digit.
	maxDigit = 11
)

func (s *keySorter[K]) radix(keys []K, left uint) {
	if len(keys) <= fewKeys {
		for i := 1; i < len(keys); i++ {
			x, j := keys[i], i
			for ; j > 0 && keys[j-1] > x; j-- {
				keys[j] = keys[j-1]
			}
			keys[j] = x
		}
		return
	}
	if left == 0 {
		return
	}
	digit := min(left, uint(bits.Len(uint(len(keys))))-1, maxDigit)
	left -= digit
	used, values := len(s.next), 1<<digit
	s.next = slices.Grow(s.next, values)[:used+values]
	next := s.next[used:]
	clear(next)
	mask := K(values - 1)
	for _, x := range keys {
		next[x>>left&mask]++
	}
	sum := uint32(0)
	for i, n := range next {
		next[i] = sum
		sum += n
	}
	aux := s.aux[:len(keys)]
	copy(aux, keys)
	for _, x := range aux {
		c := x >> left & mask
		keys[next[c]] = x
		next[c]++
	}
	from := uint32(0)
	for i := range next {
		to := s.next[used+i]
		if to-from > 1 {
			s.radix(keys[from:to], left)
		}
		from = to
	}
	s.next = s.next[:used]
}
