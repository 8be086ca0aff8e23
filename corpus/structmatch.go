package corpus

import "sort"

// tagMatcher matches the start or the end of a structure, or all of its tokens.
type tagMatcher struct {
	side tagSide
	s    *Struct
	test test // on the number of the structure
}

func (n *tagMatcher) run(m *machine, from state, limit uint32, out []state) []state {
	if n.side == tagClose {
		if from.pos > m.lo && n.closes(m, from.pos) {
			out = append(out, from)
		}
		return out
	}
	if from.pos >= m.hi { // structures that begin here are in the next document
		return out
	}
	// Several structures may begin here: empty ones, followed by at most one
	// nonempty structure.
	for i := n.s.after(int64(from.pos)) - 1; i >= 0; i-- {
		start, end := n.s.Span(i)
		if start != int64(from.pos) || m.Over(0) {
			break
		}
		if !n.test.at(uint32(i)) {
			continue
		}
		if n.side == tagOpen {
			return append(out, from)
		}
		if end <= int64(limit) {
			out = append(out, state{uint32(end), from.bind})
		}
	}
	return out
}

// closes reports whether a structure ends before token pos. It is the last one that
// begins before pos, or an empty one at pos.
func (n *tagMatcher) closes(m *machine, pos uint32) bool {
	for i := n.s.after(int64(pos)) - 1; i >= 0; i-- {
		start, end := n.s.Span(i)
		if end == int64(pos) && n.test.at(uint32(i)) {
			return true
		}
		if start < int64(pos) || m.Over(0) {
			return false
		}
	}
	return false
}

func (n *tagMatcher) bounds() (uint32, uint32) {
	if n.side == tagWhole {
		return 0, infinite
	}
	return 0, 0
}

func (n *tagMatcher) anchor(*Corpus) *anchor {
	return &anchor{
		parts: []anchorPart{{open: func(d *deadline, first, _ uint32) stream {
			t := &tagStream{d: d, s: n.s, test: n.test, end: n.side == tagClose}
			t.i = sort.Search(n.s.Len(), func(i int) bool { return t.at(i) >= int64(first) })
			return t
		}}},
		cost: float64(n.s.Len()),
	}
}

// withinMatcher matches its part if a structure holds it (or, with not, if none
// does).
type withinMatcher struct {
	part matcher
	tag  *tagMatcher
	not  bool
}

func (n *withinMatcher) run(m *machine, from state, limit uint32, out []state) []state {
	i, end, ok := m.holders.find(n.tag.s, int64(from.pos))
	ok = ok && n.tag.test.at(uint32(i))
	if !n.not {
		if !ok {
			return out
		}
		return n.part.run(m, from, min(limit, uint32(end)), out)
	}
	before := len(out)
	out = n.part.run(m, from, limit, out)
	if !ok {
		return out
	}
	keep := out[:before]
	for _, s := range out[before:] {
		if int64(s.pos) > end {
			keep = append(keep, s)
		}
	}
	return keep
}

func (n *withinMatcher) bounds() (uint32, uint32) { return n.part.bounds() }
func (n *withinMatcher) anchor(c *Corpus) *anchor { return n.part.anchor(c) }

// holders finds the structures that hold tokens. Most tokens are in the structure found last, or soon
// after it.
type holders struct {
	of         *Struct
	i          int
	start, end int64
}

// find is [Struct.Find]. It also returns the end of the structure.
func (h *holders) find(s *Struct, pos int64) (i int, end int64, ok bool) {
	if h.of == s && h.start <= pos && pos < h.end {
		return h.i, h.end, true
	}
	lo, hi := -1, s.Len() // lo begins at pos or before, hi after pos
	if h.of == s && h.start <= pos {
		lo = h.i
		for step := 1; lo+step < hi; step *= 2 {
			if int64(s.starts.At(lo+step)) > pos {
				hi = lo + step
				break
			}
			lo += step
		}
	}
	i = lo + sort.Search(hi-lo-1, func(k int) bool { return int64(s.starts.At(lo+1+k)) > pos })
	if i < 0 {
		return 0, 0, false
	}
	h.of, h.i = s, i
	h.start, h.end = s.Span(i)
	return i, h.end, pos < h.end
}

// containMatcher matches its part if the other matches inside it (or, with not,
// does not).
type containMatcher struct {
	part, other matcher
	not         bool
}

func (n *containMatcher) run(m *machine, from state, limit uint32, out []state) []state {
	before := len(out)
	out = n.part.run(m, from, limit, out)
	out = append(out[:before], m.distinct(out[before:])...)
	keep, has := out[:before], false
	for _, s := range out[before:] { // the ends increase: each span contains the spans before it
		has = has || m.inner(n, n.other).inside(from.pos, s.pos)
		if has != n.not {
			keep = append(keep, s)
		}
	}
	return keep
}

// reaches reports whether n matches from place from to place to or farther.
func (m *machine) reaches(n matcher, from, limit, to uint32) bool {
	out := n.run(m, state{from, -1}, limit, m.slice())
	defer m.release(out)
	for _, s := range out {
		if s.pos >= to {
			return true
		}
	}
	return false
}

func (n *containMatcher) bounds() (uint32, uint32) { return n.part.bounds() }
func (n *containMatcher) anchor(c *Corpus) *anchor {
	a := n.part.anchor(c)
	if n.not {
		return a
	}
	other := n.other.anchor(c)
	if t, ok := n.part.(*tagMatcher); ok && t.side == tagWhole && other != nil {
		return cheaper(a, other.holders(t.s))
	}
	_, hi := n.part.bounds()
	return cheaper(a, other.shifted(0, hi, c.documentLen()))
}

// coverMatcher matches its part if a match of the other holds it (or, with not, if
// none does).
type coverMatcher struct {
	part, other matcher
	not         bool
}

func (n *coverMatcher) run(m *machine, from state, limit uint32, out []state) []state {
	before := len(out)
	out = n.part.run(m, from, limit, out)
	keep := out[:before]
	for _, s := range out[before:] {
		if m.inner(n, n.other).covers(from.pos, s.pos) != n.not {
			keep = append(keep, s)
		}
	}
	return keep
}

func (n *coverMatcher) bounds() (uint32, uint32) { return n.part.bounds() }
func (n *coverMatcher) anchor(c *Corpus) *anchor { return n.part.anchor(c) }

// meetMatcher matches its part if the other begins lo to hi tokens from its start.
type meetMatcher struct {
	part, other matcher
	lo, hi      int
}

func (n meetMatcher) run(m *machine, from state, limit uint32, out []state) []state {
	before := len(out)
	out = n.part.run(m, from, limit, out)
	if len(out) == before {
		return out
	}
	lo := max(int64(from.pos)+int64(n.lo), int64(m.lo))
	hi := min(int64(from.pos)+int64(n.hi), int64(m.hi)-1)
	for ; lo <= hi && !m.Over(0); lo++ {
		if m.reaches(n.other, uint32(lo), m.hi, uint32(lo)) {
			return out
		}
	}
	return out[:before]
}

func (n meetMatcher) bounds() (uint32, uint32) { return n.part.bounds() }
func (n meetMatcher) anchor(c *Corpus) *anchor { return n.part.anchor(c) }
