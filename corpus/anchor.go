package corpus

// anchor is a set of places at a known distance from the start of a match. Every
// match needs one of them, so matches are searched only there.
type anchor struct {
	parts []anchorPart // any of them
	cost  float64      // places to check
}

// anchorPart is one stream of places. A match starts lo to hi tokens before a
// place.
type anchorPart struct {
	// open returns the places from first to end-1, and possibly more. It returns
	// no places once d has expired.
	open   func(d *deadline, first, end uint32) stream
	lo, hi uint32
}

// cheaper returns the anchor with the lower cost. A nil anchor matches every place.
func cheaper(a, b *anchor) *anchor {
	if a == nil || b != nil && b.cost < a.cost {
		return b
	}
	return a
}

// shifted returns the anchor for a part that starts lo to hi tokens after the
// start of the whole. documentLen weighs unlimited distances.
func (a *anchor) shifted(lo, hi uint32, documentLen float64) *anchor {
	if a == nil {
		return nil
	}
	out := &anchor{cost: a.cost}
	for _, p := range a.parts {
		p.lo, p.hi = addLen(p.lo, lo), addLen(p.hi, hi)
		out.parts = append(out.parts, p)
	}
	if hi == infinite {
		out.cost *= documentLen
	} else {
		out.cost *= float64(hi-lo) + 1
	}
	return out
}

// holders returns the anchor of the structures that hold a match, given the
// match's anchor.
func (a *anchor) holders(s *Struct) *anchor {
	out := &anchor{cost: a.cost}
	for _, p := range a.parts {
		out.parts = append(out.parts, anchorPart{open: func(d *deadline, first, _ uint32) stream {
			return &holderStream{d: d, in: p.open(d, first, infinite), s: s, from: first}
		}})
	}
	return out
}

// holderStream yields the starts of structures that contain a place or end there.
type holderStream struct {
	d    *deadline
	in   stream
	s    *Struct
	from uint32 // lower bound of the places in in
}

func (h *holderStream) next(from uint32) (uint32, bool) {
	for {
		x, ok := h.in.next(h.from)
		if !ok || h.d.Over(0) {
			return 0, false
		}
		past := max(int64(x), int64(h.from)) + 1
		for _, t := range [2]int64{int64(x) - 1, int64(x)} {
			if i, ok := h.s.Find(t); ok {
				start, end := h.s.Span(i)
				if start >= int64(from) {
					return uint32(start), true
				}
				past = max(past, end)
			}
		}
		h.from = uint32(past)
	}
}

// candidates yields places where a match may begin, in order.
type candidates struct {
	c     *Corpus
	parts []anchorPart
	in    []stream
	all   bool // every place
}

// newCandidates returns the candidates among the tokens from first to end-1.
func newCandidates(d *deadline, c *Corpus, a *anchor, first, end int64) *candidates {
	if a == nil || a.cost >= float64(c.size) {
		return &candidates{c: c, all: true}
	}
	g := &candidates{c: c, parts: a.parts}
	for _, p := range a.parts {
		g.in = append(g.in, p.open(d, addLen(uint32(first), p.lo), addLen(uint32(end), p.hi)))
	}
	return g
}

// next returns the first candidate that is at least from. from never decreases.
func (g *candidates) next(from uint32) (best uint32, ok bool) {
	if g.all {
		return from, int64(from) < g.c.size
	}
	for i, p := range g.parts {
		x, have := g.in[i].next(addLen(from, p.lo))
		if !have {
			continue
		}
		at := from
		switch {
		case p.hi == infinite:
			lo, _ := g.c.region(x)
			if lo == x && x > 0 { // where a structure ends it belongs to the document before
				lo, _ = g.c.region(x - 1)
			}
			at = max(from, lo)
		case x > p.hi:
			at = max(from, x-p.hi)
		}
		if !ok || at < best {
			best, ok = at, true
		}
	}
	return best, ok
}

// region returns the tokens of the document that holds token x, or the tokens
// between two documents. Matches do not cross a region.
func (c *Corpus) region(x uint32) (lo, hi uint32) {
	lo, hi = 0, uint32(c.size)
	if c.doc == nil {
		return lo, hi
	}
	i := c.doc.after(int64(x))
	if i > 0 {
		start, end := c.doc.Span(i - 1)
		if int64(x) < end {
			return uint32(start), uint32(end)
		}
		lo = uint32(end)
	}
	if i < c.doc.Len() {
		start, _ := c.doc.Span(i)
		hi = uint32(start)
	}
	return lo, hi
}

// documentLen returns the mean length of a document in tokens.
func (c *Corpus) documentLen() float64 {
	if c.doc == nil || c.doc.Len() == 0 {
		return float64(c.size)
	}
	return float64(c.size) / float64(c.doc.Len())
}

// tagStream yields the places where structures that pass a test begin or end.
type tagStream struct {
	d    *deadline
	s    *Struct
	test test
	end  bool
	i    int
}

func (t *tagStream) next(from uint32) (uint32, bool) {
	for n := t.s.Len(); t.i < n && !t.d.Over(0); t.i++ {
		if at := t.at(t.i); at >= int64(from) && t.test.at(uint32(t.i)) {
			return uint32(at), true
		}
	}
	return 0, false
}

// at returns the position where structure i begins or ends.
func (t *tagStream) at(i int) int64 {
	start, end := t.s.Span(i)
	if t.end {
		return end
	}
	return start
}
