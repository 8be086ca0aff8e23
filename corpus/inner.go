package corpus

import (
	"math"
	"sort"
)

// innerSpans holds the matches of the query of a within or containing node in one
// document. For each start it holds the shortest match and the farthest end of all
// matches that start there or before.
type innerSpans struct {
	in      *candidates
	lo, hi  uint32 // the document
	starts  []uint32
	nearest []uint32
	reach   []uint32
}

// inner returns the matches of other in the current document. owner is the
// requesting node. Documents must be visited in order.
func (m *machine) inner(owner, other matcher) *innerSpans {
	x := m.inners[owner]
	if x == nil {
		x = &innerSpans{in: newCandidates(m.deadline, m.c, other.anchor(m.c), int64(m.lo), m.c.size), lo: math.MaxUint32}
		m.inners[owner] = x
	}
	if x.lo == m.lo && x.hi == m.hi {
		return x
	}
	x.lo, x.hi = m.lo, m.hi
	x.starts, x.nearest, x.reach = x.starts[:0], x.nearest[:0], x.reach[:0]
	reach := uint32(0)
	for at := m.lo; at <= m.hi && !m.Over(0); at++ {
		next, ok := x.in.next(at)
		if at = m.hi; ok { // at the end of the document are only tags such as </s>
			at = min(next, m.hi)
		}
		out := other.run(m, state{at, -1}, m.hi, m.slice())
		if len(out) > 0 {
			nearest := out[0].pos
			for _, s := range out {
				nearest, reach = min(nearest, s.pos), max(reach, s.pos)
			}
			x.starts = append(x.starts, at)
			x.nearest = append(x.nearest, nearest)
			x.reach = append(x.reach, reach)
		}
		m.release(out)
	}
	return x
}

// inside reports whether one of the matches lies within the tokens lo to hi.
func (x *innerSpans) inside(lo, hi uint32) bool {
	i := sort.Search(len(x.starts), func(i int) bool { return x.starts[i] >= lo })
	for ; i < len(x.starts) && x.starts[i] < hi; i++ {
		if x.nearest[i] <= hi {
			return true
		}
	}
	return false
}

// covers reports whether one of the matches contains the tokens lo to hi.
func (x *innerSpans) covers(lo, hi uint32) bool {
	i := sort.Search(len(x.starts), func(i int) bool { return x.starts[i] > lo })
	return i > 0 && x.reach[i-1] >= hi
}
