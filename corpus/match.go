package corpus

import (
	"cmp"
	"slices"
)

// state is a place where a node has ended: before token pos, with labels set.
type state struct {
	pos  uint32
	bind int32 // into machine.binds in steps of machine.labels; -1: none set
}

// unbound marks a label that is not set.
const unbound = ^uint32(0)

// machine holds the shared state of the matchers during one evaluation.
type machine struct {
	labels  int
	binds   []uint32  // labels of states
	free    [][]state // slices for reuse
	lo, hi  uint32    // the document, which bounds matches
	c       *Corpus
	inners  map[matcher]*innerSpans
	holders holders
	work    int64 // matches and repetitions so far
	*deadline
}

func (m *machine) slice() []state {
	if n := len(m.free); n > 0 {
		s := m.free[n-1]
		m.free = m.free[:n-1]
		return s[:0]
	}
	return make([]state, 0, 16)
}

func (m *machine) release(s []state) { m.free = append(m.free, s) }

// labelsOf returns the labels of a state, or nil without labels.
func (m *machine) labelsOf(s state) []uint32 {
	if s.bind < 0 {
		return nil
	}
	return m.binds[int(s.bind)*m.labels:][:m.labels]
}

// bound returns s with a label set to place.
func (m *machine) bound(s state, label int, place uint32) state {
	n := len(m.binds)
	if n > maxBinds && m.full(n, maxBinds) {
		return s
	}
	for range m.labels {
		m.binds = append(m.binds, unbound)
	}
	copy(m.binds[n:], m.labelsOf(s))
	m.binds[n+label] = place
	s.bind = int32(n / m.labels)
	return s
}

func (m *machine) compare(a, b state) int {
	if a.pos != b.pos {
		return cmp.Compare(a.pos, b.pos)
	}
	if a.bind == b.bind {
		return 0
	}
	return slices.Compare(m.labelsOf(a), m.labelsOf(b))
}

// distinct sorts the states and removes duplicates.
func (m *machine) distinct(s []state) []state {
	if len(s) < 2 {
		return s
	}
	sorted := true
	for i := 1; i < len(s) && sorted; i++ {
		sorted = m.compare(s[i-1], s[i]) < 0
	}
	if sorted {
		return s
	}
	slices.SortFunc(s, m.compare)
	return slices.CompactFunc(s, func(a, b state) bool { return m.compare(a, b) == 0 })
}

// each appends the states in which n ends if it starts in one of the states from. out
// must be empty.
func (m *machine) each(n matcher, from []state, limit uint32, out []state) []state {
	const loose = 4096
	most := loose
	for _, s := range from {
		if m.Over(0) {
			break
		}
		if out = n.run(m, s, limit, out); len(out) > most {
			out = m.distinct(out)
			most = max(loose, 2*len(out))
		}
		if len(out) > maxStates && m.full(len(out), maxStates) {
			break
		}
	}
	return out
}

// tokenMatcher matches one token.
type tokenMatcher struct{ t test }

func (n tokenMatcher) run(_ *machine, from state, limit uint32, out []state) []state {
	if from.pos < limit && n.t.at(from.pos) {
		from.pos++
		return append(out, from)
	}
	return out
}

func (n tokenMatcher) bounds() (uint32, uint32) { return 1, 1 }
func (n tokenMatcher) anchor(*Corpus) *anchor   { return n.t.anchor() }

// seqMatcher matches its parts in sequence.
type seqMatcher struct{ parts []matcher }

func (n seqMatcher) run(m *machine, from state, limit uint32, out []state) []state {
	cur, next := append(m.slice(), from), m.slice()
	for i, p := range n.parts {
		next = m.each(p, cur, limit, next[:0])
		if i > 0 || len(next) > 1 {
			next = m.distinct(next)
		}
		cur, next = next, cur
		if len(cur) == 0 {
			break
		}
	}
	out = append(out, cur...)
	m.release(cur)
	m.release(next)
	return out
}

func (n seqMatcher) bounds() (lo, hi uint32) {
	for _, p := range n.parts {
		a, b := p.bounds()
		lo, hi = addLen(lo, a), addLen(hi, b)
	}
	return lo, hi
}

func (n seqMatcher) anchor(c *Corpus) (best *anchor) {
	lo, hi := uint32(0), uint32(0)
	for _, p := range n.parts {
		best = cheaper(best, p.anchor(c).shifted(lo, hi, c.documentLen()))
		a, b := p.bounds()
		lo, hi = addLen(lo, a), addLen(hi, b)
	}
	return best
}

// altMatcher matches one of its branches.
type altMatcher struct{ branches []matcher }

func (n altMatcher) run(m *machine, from state, limit uint32, out []state) []state {
	for _, b := range n.branches {
		out = b.run(m, from, limit, out)
	}
	return out
}

func (n altMatcher) bounds() (lo, hi uint32) {
	lo = infinite
	for _, b := range n.branches {
		x, y := b.bounds()
		lo, hi = min(lo, x), max(hi, y)
	}
	return lo, hi
}

func (n altMatcher) anchor(c *Corpus) *anchor {
	all := new(anchor)
	for _, b := range n.branches {
		a := b.anchor(c)
		if a == nil {
			return nil
		}
		all.parts = append(all.parts, a.parts...)
		all.cost += a.cost
	}
	return all
}

// repeatMatcher matches its part min to max times.
type repeatMatcher struct {
	part     matcher
	min, max uint32
}

func (n *repeatMatcher) run(m *machine, from state, limit uint32, out []state) []state {
	if t, ok := n.part.(tokenMatcher); ok {
		return n.tokens(m, t.t, from, limit, out)
	}
	cur, next := append(m.slice(), from), m.slice()
	seen := m.slice() // all states so far, sorted, once the minimum is reached
	for times := uint32(0); len(cur) > 0 && !m.Over(0); times++ {
		if times >= n.min {
			before := len(seen)
			seen = m.distinct(append(seen, cur...))
			if times >= n.max || len(seen) == before {
				break // maximum reached, or nothing new
			}
		} else if times > limit-from.pos && times > 0 {
			// More rounds than tokens: only empty rounds remain, which change
			// nothing.
			seen = m.distinct(append(seen, cur...))
			break
		}
		next = m.distinct(m.each(n.part, cur, limit, next[:0]))
		cur, next = next, cur
	}
	out = append(out, seen...)
	m.release(cur)
	m.release(next)
	m.release(seen)
	return out
}

// tokens repeats a part that matches one token.
func (n *repeatMatcher) tokens(m *machine, t test, from state, limit uint32, out []state) []state {
	before := len(out)
	for times := uint32(0); ; times++ {
		if times&0xff == 0xff && (m.Over(0x800) || m.full(len(out)-before, maxStates)) {
			return out
		}
		if times >= n.min {
			out = append(out, from)
		}
		if times == n.max || from.pos >= limit || !t.at(from.pos) {
			m.work += int64(times)
			return out
		}
		from.pos++
	}
}

func (n *repeatMatcher) bounds() (lo, hi uint32) {
	a, b := n.part.bounds()
	return mulLen(a, n.min), mulLen(b, n.max)
}

// mulLen multiplies a length by n.
func mulLen(a, n uint32) uint32 {
	if a == 0 || n == 0 {
		return 0
	}
	if p := uint64(a) * uint64(n); a != infinite && n != infinite && p < infinite {
		return uint32(p)
	}
	return infinite
}

func (n *repeatMatcher) anchor(c *Corpus) *anchor {
	if n.min == 0 {
		return nil
	}
	return n.part.anchor(c)
}

// labelMatcher sets a label to the start of its part.
type labelMatcher struct {
	label int
	part  matcher
}

func (n labelMatcher) run(m *machine, from state, limit uint32, out []state) []state {
	return n.part.run(m, m.bound(from, n.label, from.pos), limit, out)
}

func (n labelMatcher) bounds() (uint32, uint32) { return n.part.bounds() }
func (n labelMatcher) anchor(c *Corpus) *anchor { return n.part.anchor(c) }
