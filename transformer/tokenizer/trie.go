package tokenizer

// trie holds the pieces of a vocabulary as a double array (Aoe 1989): from
// state s the byte c leads to state base[s]+c, if that state's check is s+1.
type trie struct {
	nodes []trieNode
}

type trieNode struct {
	base  int32
	check int32 // state before this one, plus one; 0 in a free node
	id    int32 // piece that ends here, or -1
}

// step returns the state that c leads to from s, or -1.
func (t *trie) step(s int32, c byte) int32 {
	next := t.nodes[s].base + int32(c)
	if int(next) >= len(t.nodes) || t.nodes[next].check != s+1 {
		return -1
	}
	return next
}

// find returns the id of the piece that is all of b, or -1.
func (t *trie) find(b []byte) int32 {
	s := int32(0)
	for _, c := range b {
		if s = t.step(s, c); s < 0 {
			return -1
		}
	}
	return t.nodes[s].id
}

// buildTrie makes the trie of pieces, which are sorted by bytes and distinct;
// ids[i] is the id of pieces[i].
func buildTrie(pieces []string, ids []int32) *trie {
	b := trieBuilder{pieces: pieces, ids: ids, next: 1}
	b.grow(512)
	b.nodes[0] = trieNode{check: -1, id: -1}
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
			b.nodes[base+int(c)] = trieNode{check: int32(t.state + 1), id: -1}
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
	return &trie{nodes: b.nodes}
}

type trieBuilder struct {
	pieces []string
	ids    []int32
	nodes  []trieNode
	next   int // no node before this one is worth looking at
}

func (b *trieBuilder) grow(n int) {
	for len(b.nodes) < n {
		b.nodes = append(b.nodes, trieNode{id: -1})
	}
}

// place finds a base from which all labels lead to free nodes: the first one
// behind next, which moves on when the nodes from there to the place found are
// nearly all taken (as in the darts library).
func (b *trieBuilder) place(labels []byte) int {
	taken, first := 0, true
	begin := max(b.next, int(labels[0])+1)
	for at := begin; ; at++ {
		b.grow(at + 512)
		if b.nodes[at].check != 0 {
			taken++
			continue
		}
		if first {
			if begin == b.next {
				b.next = at
			}
			first = false
		}
		base := at - int(labels[0])
		free := true
		for _, c := range labels[1:] {
			if b.nodes[base+int(c)].check != 0 {
				free = false
				break
			}
		}
		if !free {
			continue
		}
		if begin <= b.next && taken*20 >= (at-b.next+1)*19 {
			b.next = at
		}
		return base
	}
}
