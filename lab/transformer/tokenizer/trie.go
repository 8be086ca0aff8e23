package tokenizer

import "slices"

// trie holds the pieces of a vocabulary as a double array (Aoe 1989). From state s, byte c leads to
// state base[s]+c if the check of that state is s+1.
type trie struct {
	nodes []trieNode
}

type trieNode struct {
	base  int32
	check int32 // previous state plus one; 0 in a free node
	id    int32 // the piece that ends here, or -1
}

// step returns the state for byte c after s, or -1.
func (t *trie) step(s int32, c byte) int32 {
	next := t.nodes[s].base + int32(c)
	if int(next) >= len(t.nodes) || t.nodes[next].check != s+1 {
		return -1
	}
	return next
}

// find returns the id of the piece b, or -1.
func (t *trie) find(b []byte) int32 {
	s := int32(0)
	for _, c := range b {
		if s = t.step(s, c); s < 0 {
			return -1
		}
	}
	return t.nodes[s].id
}

// buildTrie returns the trie of pieces, which are sorted by bytes and distinct; ids[i] is the id of
// pieces[i].
func buildTrie(pieces []string, ids []int32) *trie {
	b := trieBuilder{}
	b.grow(512)
	b.take(0, -1)
	type task struct {
		state, depth int
		lo, hi       int
	}
	queue := []task{{0, 0, 0, len(pieces)}}
	var labels []byte
	for len(queue) > 0 {
		t := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if t.lo < t.hi && len(pieces[t.lo]) == t.depth {
			b.nodes[t.state].id = ids[t.lo]
			t.lo++
		}
		if t.lo == t.hi {
			continue
		}
		labels = labels[:0]
		for i := t.lo; i < t.hi; i++ {
			if c := pieces[i][t.depth]; len(labels) == 0 || labels[len(labels)-1] != c {
				labels = append(labels, c)
			}
		}
		base := b.place(labels)
		b.nodes[t.state].base = int32(base)
		for _, c := range labels {
			b.take(base+int(c), int32(t.state+1))
		}
		for lo := t.lo; lo < t.hi; {
			c := pieces[lo][t.depth]
			hi := lo + 1
			for hi < t.hi && pieces[hi][t.depth] == c {
				hi++
			}
			queue = append(queue, task{base + int(c), t.depth + 1, lo, hi})
			lo = hi
		}
	}
	return &trie{nodes: slices.Clip(b.nodes[:b.end])}
}

// maxTries is the number of positions that are tried for a node with several arcs before it is
// placed after all others. It keeps the time proportional to the number of pieces.
const maxTries = 256

type trieBuilder struct {
	nodes []trieNode
	ahead []int32 // for each node, a node at or after it that may be free; itself if it is free
	end   int     // after the last used node
	begin int     // the start of the search for several positions
}

func (b *trieBuilder) grow(n int) {
	for len(b.nodes) < n {
		b.ahead = append(b.ahead, int32(len(b.nodes)))
		b.nodes = append(b.nodes, trieNode{id: -1})
	}
}

func (b *trieBuilder) take(at int, check int32) {
	b.grow(at + 2)
	b.nodes[at] = trieNode{check: check, id: -1}
	b.ahead[at] = int32(at + 1)
	b.end = max(b.end, at+1)
}

// free returns the first free node at or after at.
func (b *trieBuilder) free(at int) int {
	b.grow(at + 1)
	for int(b.ahead[at]) != at {
		next := int(b.ahead[at])
		b.grow(next + 1)
		b.ahead[at] = b.ahead[next] // path compression
		at = int(b.ahead[at])
		b.grow(at + 1)
	}
	return at
}

// place returns a base for which all labels lead to free nodes.
func (b *trieBuilder) place(labels []byte) int {
	low := int(labels[0])
	if len(labels) == 1 {
		return b.free(low+1) - low
	}
	at := b.free(max(b.begin, low+1))
	for range maxTries {
		base := at - low
		b.grow(base + 256)
		fits := true
		for _, c := range labels[1:] {
			if b.nodes[base+int(c)].check != 0 {
				fits = false
				break
			}
		}
		if fits {
			return base
		}
		at = b.free(at + 1)
	}
	// This region is dense: later searches begin after it.
	for range maxTries / 8 {
		b.begin = b.free(b.begin + 1)
	}
	return max(b.end, low+1) - low
}
