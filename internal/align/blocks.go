package align

import (
	"slices"

	"chaffinch/internal/sorts"
)

// Block is a run of Len equal symbols, a[A:A+Len] = b[B:B+Len].
type Block struct{ A, B, Len int }

// Blocks aligns a with b like SequenceMatcher of Python's difflib with its defaults. It finds the
// longest run that occurs in both, then repeats to the left and to the right of it. Of several
// longest runs it takes the earliest in a, then the earliest in b. The blocks are in order and do
// not cross; adjacent blocks are not merged.
//
// As in difflib ("autojunk"), a symbol that makes up more than 1 % of a b of 200 or more symbols
// starts no run, it only lengthens one. The alignment therefore depends on the order of the
// arguments.
func Blocks(a, b []int32) []Block {
	m := newMatcher(a, b)
	var blocks []Block
	type span struct{ alo, ahi, blo, bhi int }
	todo := []span{{0, len(a), 0, len(b)}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		x := m.longest(s.alo, s.ahi, s.blo, s.bhi)
		if x.Len == 0 {
			continue
		}
		blocks = append(blocks, x)
		if s.alo < x.A && s.blo < x.B {
			todo = append(todo, span{s.alo, x.A, s.blo, x.B})
		}
		if x.A+x.Len < s.ahi && x.B+x.Len < s.bhi {
			todo = append(todo, span{x.A + x.Len, s.ahi, x.B + x.Len, s.bhi})
		}
	}
	sorts.Func(blocks, func(x, y Block) int { return x.A - y.A })
	return blocks
}

// Matched returns the number of symbols in the blocks of a and b.
func Matched(a, b []int32) int {
	n := 0
	for _, x := range Blocks(a, b) {
		n += x.Len
	}
	return n
}

type matcher struct {
	a, b []int32
	// at[i] lists the positions of a[i] in b, in order; nil for symbols that are too common to
	// start a run.
	at [][]int32
	// runs[j+1] is the length of the run that ends at b[j] and at the symbol of a before the
	// current one; last is the same for the current one.
	runs, last []int32
}

func newMatcher(a, b []int32) *matcher {
	m := &matcher{a: a, b: b, at: make([][]int32, len(a)), runs: make([]int32, len(b)+1), last: make([]int32, len(b)+1)}
	count := make(map[int32]int32, len(b)/2+1)
	for _, s := range b {
		count[s]++
	}
	places := make(map[int32][]int32, len(count))
	room := make([]int32, len(b))
	for j, s := range b {
		p, ok := places[s]
		if !ok {
			n := count[s]
			if len(b) >= 200 && int(n) > len(b)/100+1 {
				n = 0 // too common
			}
			p, room = room[:0:n], room[n:]
		}
		if len(p) < cap(p) {
			p = append(p, int32(j))
		}
		places[s] = p
	}
	for i, s := range a {
		m.at[i] = places[s]
	}
	return m
}

// longest returns the longest run within a[alo:ahi] and b[blo:bhi].
func (m *matcher) longest(alo, ahi, blo, bhi int) Block {
	best := Block{A: alo, B: blo}
	old, now := m.runs, m.last
	var stale []int32 // positions of b at which old is set
	for i := alo; i < ahi; i++ {
		at := m.at[i]
		if len(at) > 0 && int(at[0]) < blo {
			k, _ := slices.BinarySearch(at, int32(blo))
			at = at[k:]
		}
		n := 0
		for _, j := range at {
			if int(j) >= bhi {
				break
			}
			n++
			k := old[j] + 1
			now[j+1] = k
			if int(k) > best.Len {
				best = Block{i - int(k) + 1, int(j) - int(k) + 1, int(k)}
			}
		}
		for _, j := range stale {
			old[j+1] = 0
		}
		stale = at[:n]
		old, now = now, old
	}
	for _, j := range stale {
		old[j+1] = 0
	}
	for best.A > alo && best.B > blo && m.a[best.A-1] == m.b[best.B-1] {
		best.A--
		best.B--
		best.Len++
	}
	for best.A+best.Len < ahi && best.B+best.Len < bhi && m.a[best.A+best.Len] == m.b[best.B+best.Len] {
		best.Len++
	}
	return best
}
