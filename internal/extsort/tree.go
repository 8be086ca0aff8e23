package extsort

import (
	"bytes"
	"encoding/binary"
)

// refiller returns a sorted sequence in pieces of complete records. A piece is valid until the next
// call; an empty piece is the end.
type refiller interface {
	refill() ([]byte, error)
}

// tree merges sorted sequences. It is a tree of losers (Knuth, The Art of Computer Programming,
// volume 3, section 5.4.1). Records with equal keys are returned in the order of their sequences.
type tree struct {
	size, key int
	mask      uint64 // the bytes of a prefix that belong to the key
	srcs      []source
	nodes     []node // the winner, then the losers of the matches in nodes 1 to n-1
	started   bool
}

// node identifies a sequence by its number and the first bytes of its record, which decide nearly
// all matches.
type node struct {
	prefix uint64
	src    int32
}

type source struct {
	cur []byte // the current records; empty at the end
	in  refiller
}

func newTree(size, key int, in []refiller) (*tree, error) {
	t := &tree{size: size, key: key, mask: ^uint64(0), srcs: make([]source, len(in)), nodes: make([]node, max(len(in), 1))}
	if key < 8 {
		t.mask <<= 8 * (8 - key)
	}
	for i, r := range in {
		cur, err := r.refill()
		if err != nil {
			return nil, err
		}
		t.srcs[i] = source{cur, r}
	}
	if len(in) > 0 {
		t.nodes[0] = t.build(1)
	}
	return t, nil
}

// build plays the matches below node i and returns the winner.
func (t *tree) build(i int) node {
	n := len(t.srcs)
	if i >= n {
		return t.leaf(i - n)
	}
	a, b := t.build(2*i), t.build(2*i+1)
	if t.less(b, a) {
		a, b = b, a
	}
	t.nodes[i] = b
	return a
}

// leaf returns the node of sequence i at its current record.
func (t *tree) leaf(i int) node {
	return node{t.prefix(t.srcs[i].cur), int32(i)}
}

func (t *tree) prefix(rec []byte) uint64 {
	if len(rec) >= 8 {
		return binary.BigEndian.Uint64(rec) & t.mask
	}
	if len(rec) == 0 {
		return ^uint64(0)
	}
	var b [8]byte
	copy(b[:], rec)
	return binary.BigEndian.Uint64(b[:]) & t.mask
}

func (t *tree) less(a, b node) bool {
	if a.prefix != b.prefix {
		return a.prefix < b.prefix
	}
	x, y := t.srcs[a.src].cur, t.srcs[b.src].cur
	if len(x) == 0 || len(y) == 0 {
		return len(x) > 0
	}
	if t.key > 8 {
		if c := bytes.Compare(x[8:t.key], y[8:t.key]); c != 0 {
			return c < 0
		}
	}
	return a.src < b.src
}

// next returns the next record, nil at the end. It is valid until the next call.
func (t *tree) next() ([]byte, error) {
	if len(t.srcs) == 0 {
		return nil, nil
	}
	w := t.nodes[0]
	s := &t.srcs[w.src]
	if t.started && len(s.cur) > 0 {
		s.cur = s.cur[t.size:]
		if len(s.cur) == 0 {
			cur, err := s.in.refill()
			if err != nil {
				return nil, err
			}
			s.cur = cur
		}
		w.prefix = t.prefix(s.cur)
		for i := (int(w.src) + len(t.srcs)) / 2; i > 0; i /= 2 {
			// The compiler makes this a branch; the prefix decides most matches.
			if n := t.nodes[i]; n.prefix < w.prefix || n.prefix == w.prefix && t.less(n, w) {
				t.nodes[i], w = w, n
			}
		}
		t.nodes[0] = w
		s = &t.srcs[w.src]
	}
	t.started = true
	if len(s.cur) == 0 {
		return nil, nil
	}
	return s.cur[:t.size:t.size], nil
}
