package corpus

import "slices"

// stream yields places in increasing order.
type stream interface {
	// next returns the first place that is at least from. from never falls.
	next(from uint32) (place uint32, ok bool)
}

// How the places of several values are brought into order: few lists are
// merged, places that fit are collected and sorted, for more the text is read.
const (
	mergeLists    = 64
	collectPlaces = 1 << 20
)

// under returns the values of the attribute that a is derived from whose
// derived values are ids, sorted.
func (a *Attr) under(ids []uint32) []uint32 { return a.collect(ids, 0) }

// collect returns all places of the values ids, sorted; size is how many there
// are, about.
func (a *Attr) collect(ids []uint32, size int) []uint32 {
	all := make([]uint32, 0, size)
	var c cursor
	for _, id := range ids {
		for a.open(&c, id); ; c.step() {
			x, ok := c.peek()
			if !ok {
				break
			}
			all = append(all, x)
		}
	}
	slices.Sort(all)
	return all
}

// stream returns the places of the tokens (of the structures, for an attribute
// of structures) that have one of the values ids, which are sorted.
func (a *Attr) stream(ids []uint32) stream {
	if a.from != nil {
		return a.from.stream(a.under(ids))
	}
	if len(ids) == 1 {
		s := new(listStream)
		a.open(&s.c, ids[0])
		return s
	}
	total := 0
	for _, id := range ids {
		total += a.places(id)
	}
	switch {
	case len(ids) <= mergeLists && total <= a.ids.Len()/8:
		m := make(mergeStream, len(ids))
		for i, id := range ids {
			a.open(&m[i], id)
		}
		return m
	case total <= collectPlaces && total <= a.ids.Len()/8:
		all := a.collect(ids, total)
		return (*sliceStream)(&all)
	}
	return &scanStream{a, newIDSet(a.n, ids)}
}

// listStream reads the list of one value.
type listStream struct{ c cursor }

func (s *listStream) next(from uint32) (uint32, bool) {
	if x, ok := s.c.peek(); !ok || x >= from {
		return x, ok
	}
	s.c.seek(from)
	return s.c.peek()
}

// mergeStream merges few lists.
type mergeStream []cursor

func (s mergeStream) next(from uint32) (place uint32, ok bool) {
	for i := range s {
		c := &s[i]
		x, have := c.peek()
		if have && x < from {
			c.seek(from)
			x, have = c.peek()
		}
		if have && (!ok || x < place) {
			place, ok = x, true
		}
	}
	return place, ok
}

// sliceStream has its places in memory.
type sliceStream []uint32

func (s *sliceStream) next(from uint32) (uint32, bool) {
	for len(*s) > 0 && (*s)[0] < from {
		*s = (*s)[1:]
	}
	if len(*s) == 0 {
		return 0, false
	}
	return (*s)[0], true
}

// scanStream reads the text.
type scanStream struct {
	a   *Attr
	set idSet
}

func (s *scanStream) next(from uint32) (uint32, bool) {
	for n := s.a.ids.Len(); int(from) < n; from++ {
		if s.set.has(uint32(s.a.ids.At(int(from)))) {
			return from, true
		}
	}
	return 0, false
}

// idSet is a set of values, one bit each.
type idSet []uint64

func newIDSet(n int, ids []uint32) idSet {
	s := make(idSet, (n+63)/64)
	for _, id := range ids {
		s.add(id)
	}
	return s
}

func (s idSet) add(id uint32) {
	if int(id>>6) < len(s) { // else the index is damaged
		s[id>>6] |= 1 << (id & 63)
	}
}

func (s idSet) has(id uint32) bool {
	return int(id>>6) < len(s) && s[id>>6]>>(id&63)&1 != 0
}
