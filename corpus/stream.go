package corpus

import "slices"

// stream yields places in increasing order.
type stream interface {
	// next returns the first place that is at least from. from never falls.
	next(from uint32) (place uint32, ok bool)
}

// How the places of several values are brought into order: few lists are
// merged, places that fit are collected and sorted piece by piece, for more the text
// is read.
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
		return &pieceStream{a: a, ids: ids, total: total}
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

// pieceStream collects and sorts the places of pieces of the text, each larger than the
// one before: who wants the first places alone does not wait for the last.
type pieceStream struct {
	a      *Attr
	ids    []uint32
	total  int
	end    uint32 // of the piece
	places sliceStream
}

const (
	firstPiece  = 512  // the first piece is that part of the text,
	leastPiece  = 4096 // or so many places
	pieceGrowth = 8
)

func (s *pieceStream) next(from uint32) (place uint32, ok bool) {
	for {
		if place, ok = s.places.next(from); ok {
			return place, true
		}
		n := uint64(s.a.ids.Len())
		start := max(s.end, from)
		if uint64(start) >= n {
			return 0, false
		}
		s.end = uint32(min(n, max(n/firstPiece, leastPiece, pieceGrowth*uint64(start))))
		s.places = s.collect(start, s.end)
	}
}

// collect returns the places of a piece, sorted.
func (s *pieceStream) collect(start, end uint32) (all []uint32) {
	all = make([]uint32, 0, int(uint64(s.total)*uint64(end-start)/uint64(s.a.ids.Len()))+len(s.ids)/16)
	var c cursor
	for _, id := range s.ids {
		s.a.open(&c, id)
		if start > 0 {
			c.seek(start)
		}
		for ; ; c.step() {
			x, ok := c.peek()
			if !ok || x >= end {
				break
			}
			all = append(all, x)
		}
	}
	slices.Sort(all)
	return all
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
