package corpus

import (
	"math/bits"
	"slices"
)

// stream yields places in increasing order.
type stream interface {
	// next returns the first place that is at least from. from never falls.
	next(from uint32) (place uint32, ok bool)
}

// mergeLists is the most lists of places that are merged. The places of more values
// are collected piece by piece, or if they are a large share of the text it is read.
const mergeLists = 64

// under returns the values of the attribute that a is derived from whose
// derived values are ids, sorted.
func (a *Attr) under(ids []uint32) (all []uint32) {
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

// stream returns the places from first to end-1, and maybe more, of the tokens (of
// the structures, for an attribute of structures) that have one of the values ids,
// which are sorted; none once d is over.
func (a *Attr) stream(d *deadline, ids []uint32, first, end uint32) stream {
	if a.from != nil {
		return a.from.stream(d, a.under(ids), first, end)
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
	size := uint32(a.ids.Len())
	switch {
	case total > int(size)/8:
		return &scanStream{d, a, newIDSet(a.n, ids), min(end, size)}
	case len(ids) <= mergeLists:
		m := make(mergeStream, len(ids))
		for i, id := range ids {
			a.open(&m[i], id)
		}
		return m
	}
	return &pieceStream{d: d, a: a, ids: ids, end: first, last: min(end, size), length: max(size/firstPiece, leastPiece)}
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

// pieceStream collects the places of pieces of the text, each larger than the one
// before: who wants the first places alone does not wait for the last.
type pieceStream struct {
	d          *deadline
	a          *Attr
	ids        []uint32
	start, end uint32 // of the piece
	last       uint32 // no place from here on is wanted
	length     uint32 // of the next piece, if so much is left
	places     idSet  // of the piece, from its start
}

const (
	firstPiece  = 512  // the first piece is that part of the text,
	leastPiece  = 4096 // or so many tokens
	pieceGrowth = 8
	mostPiece   = 8 << 20 // one bit each
)

func (s *pieceStream) next(from uint32) (place uint32, ok bool) {
	for {
		if from < s.end {
			if at, ok := s.places.next(from - s.start); ok {
				return s.start + at, true
			}
		}
		if from = max(s.end, from); from >= s.last {
			return 0, false
		}
		s.start, s.end = from, from+min(s.length, s.last-from)
		s.length = min(s.length*pieceGrowth, mostPiece)
		s.collect()
	}
}

// collect finds the places of the piece.
func (s *pieceStream) collect() {
	s.places = make(idSet, (s.end-s.start+63)/64)
	var c cursor
	for _, id := range s.ids {
		if s.d.Over(0) {
			return
		}
		s.a.open(&c, id)
		if s.start > 0 {
			c.seek(s.start)
		}
		for ; ; c.step() {
			x, ok := c.peek()
			if !ok || x >= s.end {
				break
			}
			if x >= s.start { // else the list is damaged
				s.places.add(x - s.start)
			}
		}
	}
}

// scanStream reads the text.
type scanStream struct {
	d   *deadline
	a   *Attr
	set idSet
	end uint32
}

func (s *scanStream) next(from uint32) (uint32, bool) {
	for ; from < s.end; from++ {
		if from&0xffff == 0 && s.d.Over(0x10000) {
			break
		}
		if s.set.has(uint32(s.a.ids.At(int(from)))) {
			return from, true
		}
	}
	return 0, false
}

// idSet is a set of values or of places, one bit each.
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

// next returns the first of the set that is at least from.
func (s idSet) next(from uint32) (x uint32, ok bool) {
	i := int(from >> 6)
	if i >= len(s) {
		return 0, false
	}
	for word := s[i] &^ (1<<(from&63) - 1); ; word = s[i] {
		if word != 0 {
			return uint32(64*i + bits.TrailingZeros64(word)), true
		}
		if i++; i == len(s) {
			return 0, false
		}
	}
}
